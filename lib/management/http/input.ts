import { z } from "zod";
import type { ReadText } from "../../canonical/mod.ts";
import type { Limits } from "../../config.ts";
import { discardBody } from "../../http/body/body.ts";
import { readJsonBody } from "../../http/body/json_body.ts";
import { ManagementError } from "./error.ts";
import type { ApiOperation } from "./operation.ts";

const bodyBytesMax = 1024 * 1024;
const containersMax = 20_000;
/** The longest lists have 5,000 values; a check of many more takes seconds. */
const valuesMax = 20_000;
const nestingMax = 20;
/** The most characters of a field's name in an error. */
const nameCharsMax = 200;

/**
 * Reads the body of a request; undefined if the operation takes none. Throws as `readJsonBody` does,
 * and `invalid_request` for a field of the body itself that appears twice.
 */
export async function readBody(
  request: Request,
  operation: ApiOperation,
  limits: Limits,
): Promise<ReadText | undefined> {
  if (operation.body === undefined) {
    await request.body?.cancel();
    return undefined;
  }
  const bytesMax = operation.bodyBytesMax ?? bodyBytesMax;
  const sent = hasBody(request) ? request : withEmptyBody(request);
  const read = await readJsonBody(sent, {
    ...limits,
    bodyBytesMax: bytesMax,
    containersMax,
    membersMax: valuesMax,
    valuesMax,
    nestingMax,
  }).catch(async (error) => {
    if (sent.body && !sent.bodyUsed) await discardBody(sent.body, limits);
    throw error;
  });
  if (!read.repeats) return read;
  throw new ManagementError("invalid_request", "The body has a field twice");
}

function hasBody({ body, headers }: Request): boolean {
  return body !== null && headers.get("content-length") !== "0";
}

/** No body is the same as `{}`, for actions whose fields are all optional. */
function withEmptyBody({ url, method, headers }: Request): Request {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return new Request(url, { method, headers: kept, body: "{}" });
}

/** Validates the query against the operation's schema. Throws `invalid_request`. */
export function validQuery({ searchParams }: URL, operation: ApiOperation): unknown {
  const entries = [...searchParams];
  const twice = repeatedName(entries);
  if (twice !== undefined) throw invalid(`The query has ${twice} twice`, twice);
  return validated(operation.query ?? noFields, objectOf(entries), operation);
}

/** Takes time in proportion to the entries: a query may have many thousands. */
function repeatedName(entries: readonly (readonly [string, string])[]): string | undefined {
  const names = new Set<string>();
  for (const [name] of entries) {
    if (names.has(name)) return name.slice(0, nameCharsMax);
    names.add(name);
  }
  return undefined;
}

const noFields = z.strictObject({});

/** Also `__proto__` becomes an ordinary field. */
function objectOf(entries: readonly (readonly [string, string])[]): object {
  const object = Object.create(null);
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** Validates the body against the operation's schema. Throws `invalid_request`. */
export function validBody(body: unknown, operation: ApiOperation): unknown {
  if (operation.body === undefined) return undefined;
  const path = protoIn(body);
  if (path !== undefined) throw unknownField(pathOf(path));
  return validated(operation.body, body, operation);
}

/** The path of a member named `__proto__`, which zod does not see. */
function protoIn(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, "__proto__")) return [...path, "__proto__"];
  for (const [name, member] of Object.entries(value)) {
    const found = protoIn(member, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found) return found;
  }
  return undefined;
}

function validated(
  schema: z.ZodType,
  value: unknown,
  { faults = {} }: Pick<ApiOperation, "faults">,
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue.code === "unrecognized_keys") {
    throw unknownField(pathOf([...issue.path, issue.keys[0]]));
  }
  const param = pathOf(issue.path);
  const says = Object.hasOwn(faults, issue.message) ? faults[issue.message] : issue.message;
  throw invalid(param === "" ? says : `${param}: ${says}`, param);
}

function unknownField(param: string): ManagementError {
  return invalid(`There is no field ${param}`, param);
}

function invalid(message: string, param: string): ManagementError {
  return new ManagementError("invalid_request", message, param === "" ? {} : { param });
}

/** Such as `budgets.month` or `models[3]`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("")
    .replace(/^\./, "").slice(0, nameCharsMax);
}
