import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { ConfigError, formatPath } from "./fault.ts";

/**
 * Reads the configuration file: JSON with comments and trailing commas. Replaces `${NAME}` by the
 * environment variable.
 */
export function readConfigFile(
  path: string,
  readFile: (path: string) => string,
  env: Readonly<Record<string, string>>,
): unknown {
  const faults: string[] = [];
  const file = withVariables(parseText(path, readText(path, readFile)), {
    path: [],
    env,
    faults,
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return file;
}

function readText(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw new ConfigError([`TESSERA_CONFIG must name a readable file: cannot read ${path}`], {
      cause,
    });
  }
}

function parseText(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined) return value;
  const before = text.slice(0, error.offset).split("\n");
  const place = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  throw new ConfigError([
    `${place} must be JSON with comments: ${inWords(printParseErrorCode(error.error))}`,
  ]);
}

/** Converts `PropertyNameExpected` to `property name expected`. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly env: Readonly<Record<string, string>>;
  readonly faults: string[];
}

function withVariables(value: unknown, place: Place): unknown {
  if (typeof value === "string") return expand(value, place);
  if (Array.isArray(value)) {
    return value.map((item, index) => withVariables(item, below(place, index)));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withVariables(item, below(place, name))]),
  );
}

function expand(text: string, { path, env, faults }: Place): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined || value === "") {
      faults.push(`${formatPath(path)} names the environment variable ${name}, which is not set`);
    }
    return value ?? "";
  });
}

function below(place: Place, step: string | number): Place {
  return { ...place, path: [...place.path, step] };
}
