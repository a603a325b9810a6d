import { z } from "zod";
import { type AdminTokenCheck, checkAdminToken, covers, permits } from "../../accounts/mod.ts";
import { clientAddress } from "../../admin/audit.ts";
import type { AdminServices } from "../../admin/services.ts";
import type { Limits } from "../../config.ts";
import type { ApiInfo } from "../../http/behind_proxies.ts";
import { discardBody } from "../../http/body/body.ts";
import { readJsonBody } from "../../http/body/json_body.ts";
import { methodNotAllowed } from "../../http/endpoints.ts";
import type { ReadText } from "../../json/mod.ts";
import type { Store } from "../../store/mod.ts";
import { withIds } from "../names.ts";
import { ManagementError } from "./error.ts";
import { knownFields } from "./field_names.ts";
import { answeredOnce } from "./idempotency.ts";
import {
  type ApiOperation,
  type ApiReply,
  etagOf,
  ifMatchOf,
  type ManagementCall,
  type ManagementState,
} from "./operation.ts";
import { basePath, type FindRoute } from "./route_table.ts";

/** The services and the origin of a request. */
interface Serving {
  readonly id: string;
  readonly info: ApiInfo;
  readonly services: AdminServices;
  readonly find: FindRoute;
}

/** Answers a request. Throws its error. */
export async function answerOperation(request: Request, serving: Serving): Promise<Response> {
  const { services, info, id } = serving;
  const url = new URL(request.url);
  const { operation, params } = operationAt(request, url, serving);
  const state = await admittedState(request, operation, serving);
  const read = await readBody(request, operation, services.config.limits);
  const { store } = services;
  const facts = { request, url, text: read?.text ?? "", tokenId: state.account.token.id };
  return await answeredOnce(facts, { store, nowMs: state.nowMs }, async () => {
    const call: ManagementCall = {
      ...{ id, url, params, info, state, origin: originFor(url, serving) },
      ifMatch: ifMatchOf(request, operation),
      query: validQuery(url, operation),
      body: validBody(read?.body, operation),
    };
    return responseOf(
      await operation.perform(await withIds(call, operation.path)),
      operation,
    );
  });
}

function operationAt(
  { method }: Request,
  url: URL,
  serving: Serving,
): { readonly operation: ApiOperation; readonly params: ManagementCall["params"] } {
  const match = serving.find(url.pathname);
  if (match === undefined) {
    const message =
      `No endpoint at this path: GET ${basePath} lists the resources. For model calls, set the base URL to ${
        originFor(url, serving)
      }/v1`;
    throw new ManagementError("unknown_endpoint", message);
  }
  const operation = match.methods.get(method);
  if (operation) return { operation, params: match.params };
  const allow = [...match.methods.keys()];
  const { message } = methodNotAllowed(method, allow);
  throw new ManagementError("method_not_allowed", message, {
    headers: { allow: allow.join(", ") },
  });
}

/** The gateway's origin: as configured, or else as the caller sees it. */
function originFor(url: URL, { services: { config }, info }: Serving): string {
  return config.publicUrl ?? info.askedOrigin ?? url.origin;
}

/** The state of a request whose token may make it. Throws the refusal of any other. */
async function admittedState(
  request: Request,
  operation: ApiOperation,
  serving: Serving,
): Promise<ManagementState> {
  const { services, info } = serving;
  const { store, directory, changes } = services;
  const nowMs = services.now();
  const ip = clientAddress({ info }) ?? "";
  const baseUrl = `${originFor(new URL(request.url), serving)}/v1`;
  const { token, user } = await authenticate(request, operation, { store, ip, nowMs, baseUrl });
  if (operation.method !== "GET" && !changes.take(token.id, nowMs)) throw tooMany();
  return {
    ...{ services, nowMs },
    settings: directory.settings(),
    account: { user, token },
  };
}

function tooMany(): ManagementError {
  return new ManagementError(
    "rate_limit_exceeded",
    "The API token has made 600 changes within a minute. Retry in a minute",
    { headers: { "retry-after": "60" } },
  );
}

function responseOf(reply: ApiReply<unknown> | void, { status = 200 }: ApiOperation): Response {
  if (reply === undefined) return new Response(null, { status: 204 });
  const { body, record } = reply;
  return Response.json(body, { status, headers: record && { etag: etagOf(record) } });
}

type ValidToken = Extract<AdminTokenCheck, { readonly type: "valid" }>;

/**
 * The token of a request. Throws `invalid_api_key`, `ip_not_allowed` or `scope_missing`. Cookies and
 * the keys of model calls are not accepted.
 */
async function authenticate(
  { headers }: Request,
  { scope }: Pick<ApiOperation, "scope">,
  { store, ip, nowMs, baseUrl }: {
    readonly store: Store;
    readonly ip: string;
    readonly nowMs: number;
    /** The base URL of model calls, for clients that are wrong here. */
    readonly baseUrl: string;
  },
): Promise<ValidToken> {
  const secret = /^bearer +(sk-admin-\w{1,200})$/i.exec(headers.get("authorization")?.trim() ?? "");
  if (secret === null) throw unauthorized(missing(baseUrl));
  const check = await checkAdminToken(store, secret[1], { ip, nowMs });
  if (check.type === "address") throw new ManagementError("ip_not_allowed", refusals.address);
  if (check.type !== "valid") throw unauthorized(refusals[check.type]);
  if (scope === undefined) return check;
  if (!covers(check.token.scopes, scope)) {
    throw new ManagementError("scope_missing", `The API token lacks the scope ${scope}`);
  }
  const { role } = check.user;
  if (permits(role, scope)) return check;
  const message = `The role ${role} of the API token's owner does not allow ${scope}`;
  throw new ManagementError("scope_missing", message);
}

function missing(baseUrl: string): string {
  return "The management API needs an API token, sent as Authorization: Bearer sk-admin-…; " +
    `create one at /console/admin/tokens. For model calls, set the base URL to ${baseUrl}`;
}

const refusals: Readonly<Record<Exclude<AdminTokenCheck["type"], "valid">, string>> = {
  unknown: "The API token is unknown or revoked. Create one at /console/admin/tokens",
  expired: "The API token has expired. Create one at /console/admin/tokens",
  address: "The API token does not allow this IP address",
  owner: "The owner of the API token is disabled, or has no role for API tokens",
};

function unauthorized(message: string): ManagementError {
  return new ManagementError("invalid_api_key", message, {
    headers: { "www-authenticate": 'Bearer realm="Tessera management API"' },
  });
}

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
async function readBody(
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
function validQuery({ searchParams }: URL, operation: ApiOperation): unknown {
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
function validBody(body: unknown, operation: ApiOperation): unknown {
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
  const { issues } = parsed.error;
  const unknown = issues.find(({ code }) => code === "unrecognized_keys"); // explains one that is missing
  const issue = unknown ?? issues[0];
  if (issue.code === "unrecognized_keys") {
    const [name] = issue.keys;
    throw unknownField(
      pathOf([...issue.path, name]),
      knownFields(schema, issue.path, name),
    );
  }
  const param = pathOf(issue.path);
  const says = Object.hasOwn(faults, issue.message) ? faults[issue.message] : issue.message;
  throw invalid(param === "" ? says : `${param}: ${says}`, param);
}

function unknownField(param: string, known?: string): ManagementError {
  return invalid(
    `There is no field ${param}${known ? `. ${known}` : ""}`,
    param,
  );
}

function invalid(message: string, param: string): ManagementError {
  return new ManagementError("invalid_request", message, param === "" ? {} : { param });
}

/** Such as `budgets.month` or `models[3]`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("")
    .replace(/^\./, "").slice(0, nameCharsMax);
}
