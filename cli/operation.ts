import type { Json, JsonRecord } from "./client.ts";
import described from "./operations.json" with { type: "json" };
import { CommandError } from "./terminal.ts";
import { timeValue, timeWords } from "./time.ts";

/** An operation of the management API, and the words of its command. */
export interface CliOperation {
  /** Such as `["keys", "rotate"]`. */
  readonly words: readonly string[];
  readonly method: string;
  /** Such as `/keys/{id}/rotate`. */
  readonly path: string;
  readonly summary: string;
  readonly scope?: string;
  readonly query: readonly ApiField[];
  /** Absent: the operation takes no body. */
  readonly body?: readonly ApiField[];
  /** True if the answer is a page of a list. */
  readonly isList?: true;
}

/** Every operation; `deno run -A tools/cli_operations.ts` writes them from the API's description. */
export const describedOperations = described as readonly CliOperation[]; // that tool's own output

/** The names of the parts of a path that the caller gives. */
export function pathParts({ path }: Pick<CliOperation, "path">): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/**
 * The path with its parts filled in, encoded. Throws `CommandError` for a part that would lead to
 * another path: an empty one, `.` and `..`.
 */
export function pathWith(
  { path }: Pick<CliOperation, "path">,
  parts: Readonly<Record<string, string>>,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const part = parts[name] ?? "";
    if (!["", ".", ".."].includes(part)) return encodeURIComponent(part);
    throw new CommandError("usage", `<${name}> cannot be "${part}"`);
  });
}

/** A field of a request, as far as its option needs it. */
export interface ApiField {
  /** In snake_case, as in the API. */
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "list" | "record" | "json" | "time";
  readonly description?: string;
  readonly required?: true;
  /** True if `none` removes the value. */
  readonly nullable?: true;
  readonly choices?: readonly string[];
  /** The names that a record may have; absent: any. */
  readonly names?: readonly string[];
  /** The type of a list's items and of a record's values; absent: text. */
  readonly of?: "string" | "number" | "boolean";
  /** Of a time that is yet to come. */
  readonly isFuture?: true;
  /** Members of an object that have options of their own, beside the one for the whole object. */
  readonly fields?: readonly ApiField[];
}

/** The option of a field: `expires_at` is `--expires-at`. */
export function optionName({ name }: Pick<ApiField, "name">): string {
  return name.replaceAll("_", "-");
}

/** A longer one would leave no room for the description. */
const placeholderMax = 28;

/** The placeholder in the help for the value of a field's option. */
export function placeholder({ type, choices, of }: ApiField): string {
  const listed = choices?.join("|") ?? "";
  if (choices && listed.length <= placeholderMax) return listed;
  switch (type) {
    case "list":
      return of === "number" ? "n,n,…" : "text,text,…";
    case "record":
      return "name=value,…";
    case "boolean":
      return "true|false";
    case "number":
      return "n";
    case "json":
      return "json";
    case "time":
      return "time";
    case "string":
      return "text";
    default:
      return type satisfies never;
  }
}

/** Reads the text of an option as the value of its field. Throws `CommandError`. */
export function valueOf(field: ApiField, text: string): Json {
  if (field.nullable && text === "none") return null;
  switch (field.type) {
    case "string":
      return text;
    case "time":
      return timeValue(text, { option: `--${optionName(field)}`, nowMs: Date.now(), ...field });
    case "number":
    case "boolean":
      return simpleValue(field, field.type, text);
    case "list":
      return listValue(field, text);
    case "record":
      return recordValue(field, text);
    case "json":
      return jsonValue(field, text);
    default:
      return field.type satisfies never;
  }
}

function simpleValue(field: ApiField, type: NonNullable<ApiField["of"]>, text: string): Json {
  if (type === "string") return text;
  if (type === "boolean") {
    if (text === "true" || text === "false") return text === "true";
    throw wrong(field, "needs true or false");
  }
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw wrong(field, "needs a number");
  return number;
}

function listValue(field: ApiField, text: string): Json {
  if (text.startsWith("[")) return jsonValue(field, text);
  const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  return items.map((item) => simpleValue(field, field.of ?? "string", item));
}

function recordValue(field: ApiField, text: string): JsonRecord {
  if (text.startsWith("{")) return jsonValue(field, text) as JsonRecord;
  const pairs = text.split(",").map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw wrong(field, "needs pairs such as name=value");
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    return [name, value === "none" ? null : simpleValue(field, field.of ?? "string", value)];
  });
  return Object.fromEntries(pairs);
}

function jsonValue(field: ApiField, text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(field, "needs JSON");
  }
}

/** Reads `5/day` or `5/5h` as the record of budgets. Throws `CommandError`. */
export function budgetValue(text: string): JsonRecord {
  const [amount, period] = text.split("/");
  if (/^\d+(\.\d+)?$/.test(amount) && /^(day|week|month|total|\d+[mhd])$/.test(period ?? "")) {
    return { [period]: amount };
  }
  throw new CommandError(
    "usage",
    "--budget needs an amount and a period, such as 5/day, 100/total or 5/5h",
  );
}

/** The help of a field, without its name and its value. */
export function noteOf(
  { type, description, names, isFuture, nullable, required }: ApiField,
): string {
  const notes = [
    description?.replaceAll("`", ""),
    type === "time" &&
    `${timeWords}: ${isFuture ? "tomorrow, 30d" : "yesterday, 1h"}, 2026-11-28`,
    names && `names: ${names.join(", ")}`,
    nullable && "none removes it",
    required && "required",
  ];
  return notes.filter(Boolean).join("; ");
}

function wrong(field: ApiField, needs: string): CommandError {
  return new CommandError("usage", `--${optionName(field)} ${needs}`);
}
