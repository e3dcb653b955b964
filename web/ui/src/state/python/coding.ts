/** What names the coding of a file, in its first or second line, as Python has it. */
const COOKIE = /^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)/;
/** A first line that may have it in the one below. */
const NO_CODE = /^[ \t\f]*(?:#|$)/;
/** Bytes that have the first two lines of any script that says its coding. */
const HEAD = 4096;

const LATIN = 'iso-8859-1';

/** A script of a file in the coding that it says, as Python reads it; fails with what is wrong as a sentence. */
export function scriptText(bytes: Uint8Array): string {
  const [first = '', second = ''] = latin(bytes.subarray(0, HEAD)).split(/\r\n|\r|\n/, 2);
  const found = COOKIE.exec(first) ?? (NO_CODE.test(first) ? COOKIE.exec(second) : null);
  const coding = hasMark(bytes) ? 'utf-8' : known(found?.[2] ?? 'utf-8');
  const text = decoded(bytes, coding);
  if (coding === 'utf-8') return text;
  // Kept and downloaded it is UTF-8.
  const line = COOKIE.test(first) ? 0 : text.search(/[\r\n]/) + 1;
  const end = text.slice(line).search(/[^\r\n]/) + line;
  return text.slice(0, end) + text.slice(end).replace(COOKIE, '$1utf-8');
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The name of a coding as browsers have it. */
function known(name: string): string {
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (/^utf-?8(-|$)/.test(plain)) return 'utf-8';
  return /^(latin-?1|iso-?8859-1|iso-latin-1)(-|$)/.test(plain) ? LATIN : plain;
}

function decoded(bytes: Uint8Array, coding: string): string {
  // What browsers call so is another one.
  if (coding === LATIN) return latin(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(coding, { fatal: true });
  } catch {
    throw new Error(`the page does not know the coding ${coding}. Save it as UTF-8`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error(`it is not text in ${coding}. Save it so, or have it say its coding`);
  }
}

/** Each byte as the character of its number. */
function latin(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
