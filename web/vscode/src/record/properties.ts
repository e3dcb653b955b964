import { type Place, resolved } from './variables.ts';
import { wordsOf } from './words.ts';

/** A configuration of launch.json. */
export interface Configuration {
  readonly type: string;
  readonly name: string;
  readonly request: string;
  readonly [property: string]: unknown;
}

/** The properties of a configuration, with the values of their variables. */
export class Properties {
  constructor(
    private readonly all: Readonly<Record<string, unknown>>,
    readonly place: Place,
    readonly python: string,
  ) {
    if (typeof all.envFile === 'string') {
      throw new Error(
        `"${String(all.name)}" has an "envFile", which is not read: write what it needs into "env".`,
      );
    }
  }

  /** A text that may be missing. */
  text(name: string): string | undefined {
    const value = this.all[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.not(name, 'a text');
    return resolved(value, this.place);
  }

  needed(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw new Error(`"${String(this.all.name)}" names no "${name}".`);
  }

  /** Words: a list, or a text that a shell would split. */
  words(name: string): readonly string[] {
    const value = this.all[name];
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return wordsOf(resolved(value, this.place));
    if (!Array.isArray(value)) throw this.not(name, 'a list of texts');
    return value.map((word: unknown) => {
      if (typeof word === 'string') return resolved(word, this.place);
      if (typeof word === 'number') return String(word);
      throw this.not(name, 'a list of texts');
    });
  }

  /** `env`, by name, and `environment`, a list. */
  environment(): Readonly<Record<string, string>> {
    const { env, environment } = this.all;
    const listed = Array.isArray(environment)
      ? environment.map((one: { name?: unknown; value?: unknown }) => [String(one.name), one.value])
      : [];
    const named = typeof env === 'object' && env !== null ? Object.entries(env) : [];
    const values = [...listed, ...named] as readonly (readonly [string, unknown])[];
    return Object.fromEntries(
      values.map(([name, value]) => {
        if (typeof value !== 'string' && typeof value !== 'number') {
          throw this.not(`env.${name}`, 'a text');
        }
        return [name, resolved(String(value), this.place)];
      }),
    );
  }

  get(name: string): unknown {
    return this.all[name];
  }

  private not(name: string, what: string): Error {
    return new Error(`"${name}" of "${String(this.all.name)}" is not ${what}.`);
  }
}
