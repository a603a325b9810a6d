import { dirname, resolve } from "node:path";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { isFields, type SourceFields } from "../source_object.ts";
import { readTextFile } from "../tables/tables.ts";

const bytesMax = 10_000_000;
/** More than any real file includes; also ends a circle. */
const filesMax = 50;

/**
 * Reads LiteLLM's configuration and the files that it includes. Lists of included files are joined
 * to those of the file, and their other sections are taken where the file has none. Throws
 * `ImportRefusal` if a file is missing or not such a configuration.
 */
export async function readConfigFile(path: string): Promise<SourceFields> {
  const waiting = [resolve(path)];
  const seen = new Set<string>();
  let joined: SourceFields = {};
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (seen.size > filesMax) {
      throw new ImportRefusal(`${path} includes more than ${filesMax} files`);
    }
    const { include, ...sections } = await readYaml(file);
    waiting.push(...includedBy(file, include));
    joined = join(joined, sections);
  }
  if (!Array.isArray(joined.model_list) && !isFields(joined.general_settings)) {
    throw new ImportRefusal(`${path} has neither model_list nor general_settings`);
  }
  return joined;
}

function includedBy(file: string, include: unknown): string[] {
  const names = (Array.isArray(include) ? include : []).filter((one) => typeof one === "string");
  return names.map((name) => resolve(dirname(file), name));
}

function join(first: SourceFields, more: SourceFields): SourceFields {
  const merged = Object.entries(more).map(([name, value]) => {
    const known = Object.hasOwn(first, name) ? first[name] : undefined;
    const isList = Array.isArray(known) && Array.isArray(value);
    return [name, isList ? [...known, ...value] : known ?? value];
  });
  return { ...first, ...Object.fromEntries(merged) };
}

/** Aliases are bounded by the library, so that nested ones cannot fill the memory. */
async function readYaml(path: string): Promise<SourceFields> {
  const text = await readTextFile(path, bytesMax);
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: "silent" });
  const [fault] = document.errors;
  if (fault) throw new ImportRefusal(`${path} is not YAML: ${faultText(fault)}`);
  const value = valueOf(path, () => document.toJS({ maxAliasCount: 100 }));
  if (!isFields(value)) throw new ImportRefusal(`${path} is not a configuration of LiteLLM`);
  return value;
}

function valueOf(path: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReferenceError || error instanceof TypeError)) throw error;
    throw new ImportRefusal(`${path} has too many nested aliases, or an unknown one`, error);
  }
}

/** The kind and the place of a fault, without the line itself, which may hold a secret. */
function faultText(
  { code, linePos }: { readonly code: string; readonly linePos?: readonly { line: number }[] },
): string {
  const line = linePos?.[0]?.line;
  return `${code.toLowerCase().replaceAll("_", " ")}${line ? ` in line ${line}` : ""}`;
}

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
