import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import fortran from 'highlight.js/lib/languages/fortran';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import julia from 'highlight.js/lib/languages/julia';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import type { Piece } from './pieces.ts';

/** Letters of a text beyond which it stays plain: people wait for colours no longer than a moment. */
const MOST_LETTERS = 1_000_000;

const LANGUAGES = {
  c,
  cpp,
  csharp,
  fortran,
  go,
  java,
  javascript,
  julia,
  kotlin,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  typescript,
} as const;

type Language = keyof typeof LANGUAGES;

const ENDINGS: Readonly<Record<string, Language>> = {
  c: 'c',
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  inl: 'cpp',
  cu: 'cpp',
  cuh: 'cpp',
  cs: 'csharp',
  f: 'fortran',
  f90: 'fortran',
  f95: 'fortran',
  go: 'go',
  java: 'java',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  jl: 'julia',
  kt: 'kotlin',
  php: 'php',
  py: 'python',
  pyi: 'python',
  pyx: 'python',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  swift: 'swift',
  ts: 'typescript',
  tsx: 'typescript',
};

/** What highlight.js tells of a text, as pieces; it would write markup otherwise. */
class Pieces {
  readonly all: Piece[] = [];
  readonly #scopes: string[] = [];

  addText(text: string): void {
    if (text !== '') this.all.push({ text, scope: this.#scopes.at(-1) });
  }

  startScope(scope: string): void {
    this.#scopes.push(scope);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(other: Pieces): void {
    this.all.push(...other.all);
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}

let made: typeof hljs | undefined;

function highlighter(): typeof hljs {
  if (made !== undefined) return made;
  made = hljs.newInstance();
  made.configure({ __emitter: Pieces } as never);
  for (const [name, language] of Object.entries(LANGUAGES)) made.registerLanguage(name, language);
  return made;
}

/** The pieces of a text in the language that the file's name tells; undefined where it stays plain. */
export function highlighted(text: string, file: string): readonly Piece[] | undefined {
  const ending = file.split('.').at(-1)?.toLowerCase() ?? '';
  const language = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
  if (language === undefined || text.length > MOST_LETTERS) return undefined;
  const { _emitter } = highlighter().highlight(text, { language, ignoreIllegals: true });
  const { all } = _emitter as unknown as Pieces;
  // It goes on after a fault of its own, and what it had not read is missing.
  const letters = all.reduce((sum, piece) => sum + piece.text.length, 0);
  return letters === text.length ? all : undefined;
}
