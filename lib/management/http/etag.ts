import { digest } from "../../canonical/mod.ts";
import { ManagementError } from "./error.ts";
import type { ApiOperation, ManagementCall } from "./operation.ts";

/** Fields that change without a change of the object. */
const volatile: ReadonlySet<string> = new Set(["lastUsedAtMs"]);

/** The `ETag` of a record: the same for equal contents, whatever the order of the fields. */
export function etagOf(record: object): string {
  return `"${digest(JSON.stringify(record, canonical)).slice(0, 32)}"`;
}

function canonical(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(members.sort(([a], [b]) => a < b ? -1 : 1));
}

/** Returns true for an operation that compares `If-Match`: it declares `object_changed`. */
export function comparesEtag({ errors = [] }: Pick<ApiOperation, "errors">): boolean {
  return errors.includes("object_changed");
}

/**
 * The request's `If-Match`. Throws `invalid_request` for a change that would ignore it: the caller
 * relies on it.
 */
export function ifMatchOf({ headers }: Request, operation: ApiOperation): string | undefined {
  const ifMatch = headers.get("if-match") ?? undefined;
  if (ifMatch === undefined || operation.method === "GET" || comparesEtag(operation)) {
    return ifMatch;
  }
  const param = "If-Match";
  const message = "This operation does not compare If-Match. Send the request without it";
  throw new ManagementError("invalid_request", message, { param });
}

/**
 * Throws `object_changed` unless the record is the one of the request's `If-Match`. Call it on the
 * record that a commit replaces (in the function that changes it, or in the audit of a deletion), so
 * that of two concurrent changes only one succeeds.
 */
export function assertCurrent({ ifMatch }: Pick<ManagementCall, "ifMatch">, record: object): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const etag = etagOf(record);
  const wanted = ifMatch.split(",").map((one) => one.trim().replace(/^W\//, "")); // proxies weaken
  if (wanted.includes(etag)) return;
  throw new ManagementError(
    "object_changed",
    "The object has changed since it was read. Read it again and repeat the change",
    { headers: { etag } },
  );
}
