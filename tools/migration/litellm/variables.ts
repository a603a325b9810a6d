import type { SourceFields } from "../source_object.ts";

const reference = /^os\.environ\/(.+)$/;

/** A value that LiteLLM reads from a variable of its environment, or its plain value. */
export interface ResolvedValue {
  readonly value?: string;
  /** The name of the variable; absent for a plain value. */
  readonly variable?: string;
}

/** Looks variables up: in the file given with `--env`, in the configuration, in our environment. */
export class Variables {
  readonly #sources: readonly Readonly<Record<string, string | undefined>>[];
  /** The variables that the configuration names and nobody sets. */
  readonly missing = new Set<string>();

  constructor(sources: readonly (SourceFields | undefined)[]) {
    this.#sources = sources.map((source) =>
      Object.fromEntries(
        Object.entries(source ?? {})
          .filter(([, value]) => typeof value === "string" || typeof value === "number")
          .map(([name, value]) => [name, String(value)]),
      )
    );
  }

  /** The value of a variable; undefined if it is not set or empty. */
  get(name: string): string | undefined {
    const own = this.#sources.filter((source) => Object.hasOwn(source, name));
    const found = own.map((source) => source[name]).find((one) => one);
    return found && reference.test(found) ? undefined : found?.trim();
  }

  /** Resolves `os.environ/NAME`. */
  resolve(text: string | undefined): ResolvedValue {
    const [, variable] = reference.exec(text ?? "") ?? [];
    if (variable === undefined) return text === undefined ? {} : { value: text };
    const value = this.get(variable);
    if (value === undefined) this.missing.add(variable);
    return { variable, ...(value !== undefined && { value }) };
  }
}
