import type { z } from "zod";
import type { AdminScope } from "../../accounts/mod.ts";
import type { ActingState, AuditContext } from "../../admin/audit.ts";
import { digest } from "../../canonical/mod.ts";
import type { AdminToken } from "../../store/admin_tokens/mod.ts";
import { ManagementError, type ManagementErrorCode } from "./error.ts";

/** The state of a request to the management API. */
export interface ManagementState extends ActingState {
  readonly account: ActingState["account"] & { readonly token: AdminToken };
}

/** A request that was authenticated and validated. It is also the context of audit entries. */
export interface ManagementCall<Query = unknown, Body = unknown> extends AuditContext {
  /** `req_` + ULID: part of the answer and of the log. */
  readonly id: string;
  readonly url: URL;
  /** The site's public origin, for links. */
  readonly origin: string;
  /** The parts of the path in braces, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The value of `If-Match`, if the caller sent one. */
  readonly ifMatch?: string;
  readonly state: ManagementState;
}

/** An answer with a body. */
export interface ApiReply<Body> {
  readonly body: Body;
  /** The record behind the body, for its `ETag`; absent for lists and results of actions. */
  readonly record?: object;
}

/** The declaration of an operation: the shapes of what goes in and out. */
interface Declaration<Query, Body, Answer> {
  /** The effect, in one line. */
  readonly summary: string;
  /** The scope that the token needs; absent if any token may. */
  readonly scope?: AdminScope;
  /** Absent: the address takes no query. */
  readonly query?: z.ZodType<Query>;
  /** Absent: the request takes no body. */
  readonly body?: z.ZodType<Body>;
  /** Absent: the answer is 204, without a body. */
  readonly answer?: z.ZodType<Answer>;
  /** The status of a success with a body; 200 unless stated. */
  readonly status?: 200 | 201 | 202;
  /** The errors beside those that every operation has. */
  readonly errors?: readonly ManagementErrorCode[];
  /** The sentences of the faults that the rules name, such as `nameMissing`. */
  readonly faults?: Readonly<Record<string, string>>;
  /** The maximum size of the body in bytes; 1 MiB unless stated. */
  readonly bodyBytesMax?: number;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An operation of the management API. */
export interface ApiOperation<Query = unknown, Body = unknown, Answer = unknown>
  extends Declaration<Query, Body, Answer> {
  readonly method: Method;
  /** Below `/api/v1`, such as `/keys/{id}`. */
  readonly path: string;
  readonly perform: (call: ManagementCall<Query, Body>) => Promise<ApiReply<Answer> | void>;
}

/**
 * Declares the two operations that switch an object. `summaries` has both by the last part of their
 * path; `perform` gets true for the first.
 */
export function switches<Answer>(
  path: string,
  { summaries, ...declaration }: Omit<Declaration<unknown, unknown, Answer>, "summary"> & {
    readonly summaries: Readonly<Record<string, string>>;
  },
  perform: (call: ManagementCall, isFirst: boolean) => Promise<ApiReply<Answer> | void>,
): readonly ApiOperation[] {
  return Object.entries(summaries).map(([verb, summary], at) =>
    operation(
      `POST ${path}/${verb}`,
      { ...declaration, summary },
      (call) => perform(call, at === 0),
    )
  );
}

/** Declares an operation, typed by its schemas. `route` is such as `GET /keys/{id}`. */
export function operation<Query, Body, Answer>(
  route: `${Method} ${string}`,
  declaration: Declaration<Query, Body, Answer>,
  perform: (call: ManagementCall<Query, Body>) => Promise<ApiReply<Answer> | void>,
): ApiOperation {
  const [method, path] = route.split(" ");
  return { method, path, ...declaration, perform } as ApiOperation; // sound: `perform` gets what the schemas read
}

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

/** The check of a change or a deletion: `assertCurrent` for this call. */
export function currentCheck(call: Pick<ManagementCall, "ifMatch">): (current: object) => void {
  return (current) => assertCurrent(call, current);
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
