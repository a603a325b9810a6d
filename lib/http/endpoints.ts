import { editDistance, GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Endpoint } from "../formats/wire.ts";
import { isVerbNotOffered, type NotOffered, notOffered } from "./not_offered.ts";
import { doubledSegment, suggestedBaseUrls } from "./suggested_base_url.ts";

/** `baseUrl` returns the gateway's address without a path, for messages. */
type FindEndpoint = (method: string, pathname: string, baseUrl?: () => string) => Match | Miss;

/**
 * Makes the table of all addresses. A miss has the error `method_not_allowed`,
 * `duplicated_path_segment` (with the base URL to configure), or `unknown_endpoint` (with the base
 * URL that works, an alternative, or the nearest address).
 */
export function endpointFinder(served: readonly ServedEndpoint[]): FindEndpoint {
  const table = tableOf(served);
  return (method, pathname, origin = () => "{base_url}") => {
    const path = canonicalPath(pathname);
    const match = table.literal.get(`${method} ${path}`);
    if (match) return match;
    const baseUrl = origin();
    const doubled = doubledSegment(path, baseUrl); // before the patterns: `/v1/models/v1/models` is not a model
    if (doubled) return { codec: misplacedRow(table, path)?.codec, error: doubled };
    return matchIn(table, method, path) ?? missing(table, { method, path, baseUrl });
  };
}

/** Removes a slash at the end, and unescapes the colon of a verb, which some clients escape. */
function canonicalPath(path: string): string {
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return bare.replace(/%3A(?=[A-Za-z]+$)/i, ":");
}

/** A matched address: its format and the parameters of its path. */
export interface Match {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The decoded `{model}` or `{id}` of the path. */
  readonly parameter?: string;
  readonly item?: string;
  /** The path for the codec, relative to its format's base URL. */
  readonly wirePath: string;
}

export interface ServedEndpoint {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
}

/** A served address, prepared for matching. */
interface EndpointRow {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The path up to its parameter, or all of it. */
  readonly head: string;
  /** The rest after the parameter; absent for a path without one. */
  readonly tail?: string;
  /** True if its model must contain a slash. */
  readonly isBare: boolean;
  readonly wirePathOf: (path: string) => string;
}

interface EndpointTable {
  readonly rows: readonly EndpointRow[];
  /** The matches of paths without parameters, by method and path. */
  readonly literal: ReadonlyMap<string, Match>;
  readonly patterns: readonly EndpointRow[];
  /** Every `:verb` that a path may end in. */
  readonly verbs: ReadonlySet<string>;
}

function tableOf(served: readonly ServedEndpoint[]): EndpointTable {
  const named = served.map(({ codec, endpoint }) => rowOf(codec, endpoint));
  const bare = served.flatMap(({ codec, endpoint }) => bareRowOf(codec, endpoint));
  const rows = [...named, ...bare];
  return {
    rows,
    literal: new Map(
      rows.filter(({ tail }) => tail === undefined)
        .map(({ codec, endpoint, head, wirePathOf }) => [
          `${endpoint.method} ${head}`,
          { codec, endpoint, wirePath: wirePathOf(head) },
        ]),
    ),
    patterns: rows.filter(({ tail }) => tail !== undefined),
    verbs: new Set(rows.flatMap(({ endpoint: { verb } }) => verb ?? [])),
  };
}

function rowOf(codec: Codec, endpoint: Endpoint): EndpointRow {
  const [head, after] = endpoint.path.split(/\{(?:model|id)\}/);
  const tail = after === undefined ? undefined : after + (endpoint.verb ? `:${endpoint.verb}` : "");
  return {
    codec,
    endpoint,
    head,
    ...(tail !== undefined && { tail }),
    isBare: false,
    wirePathOf: (path) => wirePath(codec, path),
  };
}

/** The row of an address whose clients omit the collection before a model's name with a slash. */
function bareRowOf(codec: Codec, endpoint: Endpoint): EndpointRow[] {
  if (endpoint.bareHead === undefined) return [];
  const { bareHead } = endpoint;
  const row = rowOf(codec, endpoint);
  const wirePathOf = (path: string) => row.wirePathOf(row.head + path.slice(bareHead.length));
  return [{ ...row, head: bareHead, isBare: true, wirePathOf }];
}

function wirePath({ basePaths }: Codec, path: string): string {
  const base = basePaths.find((prefix) => path.startsWith(`${prefix}/`)) ?? "";
  return path.slice(base.length);
}

function matchIn(
  { patterns, verbs }: EndpointTable,
  method: string,
  path: string,
): Match | undefined {
  const verb = path.slice(path.lastIndexOf(":") + 1);
  const hasVerb = verbs.has(verb) || isVerbNotOffered(path);
  for (const row of patterns) {
    if (row.endpoint.method !== method || (hasVerb && row.endpoint.verb !== verb)) continue;
    const match = matchPattern(row, path);
    if (match) return match;
  }
  return undefined;
}

function rowsAt({ rows, verbs }: EndpointTable, path: string): EndpointRow[] {
  const verb = path.slice(path.lastIndexOf(":") + 1);
  return rows.filter((row) =>
    row.tail === undefined
      ? row.head === path
      : (!verbs.has(verb) || row.endpoint.verb === verb) && matchPattern(row, path)
  );
}

function matchPattern(row: EndpointRow, path: string): Match | undefined {
  const { head, tail = "" } = row;
  if (tail.endsWith(itemParameter)) return matchItem(row, path);
  if (!path.startsWith(head) || !path.endsWith(tail) || path.length <= head.length + tail.length) {
    return undefined;
  }
  const parameter = decoded(path.slice(head.length, path.length - tail.length));
  if (!row.endpoint.path.includes("{model}") && parameter.includes("/")) return undefined;
  if (row.isBare && !parameter.includes("/")) return undefined;
  return { codec: row.codec, endpoint: row.endpoint, parameter, wirePath: row.wirePathOf(path) };
}

const itemParameter = "{item}";

/** Matches an `{id}` followed by an `{item}`; neither contains a slash. */
function matchItem(row: EndpointRow, path: string): Match | undefined {
  const { codec, endpoint, head, tail = "" } = row;
  if (!path.startsWith(head)) return undefined;
  const [id, item, ...more] = path.slice(head.length).split(tail.slice(0, -itemParameter.length));
  if (!id || !item || more.length > 0 || id.includes("/") || item.includes("/")) return undefined;
  const wirePath = row.wirePathOf(path);
  return { codec, endpoint, parameter: decoded(id), item: decoded(item), wirePath };
}

/** The decoded parameter; one with broken percent-encoding stays unchanged and matches no model. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A missing address, and the error with the next step. */
export interface Miss {
  readonly error: GatewayError;
  /** The format of the clients that use such an address; absent if the path does not show it. */
  readonly codec?: Codec;
  /** The methods of the address, if it is served with others than the caller's. */
  readonly allow?: readonly string[];
  /** True if its clients read `{"error": "…"}` alone. */
  readonly plainError?: true;
}

interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  readonly baseUrl: string;
}

function missing(table: EndpointTable, request: EndpointRequest): Miss {
  const absent = notOffered(request.path);
  if (absent) return notOfferedMiss(absent, table, request);
  const others = rowsAt(table, request.path);
  if (others.length > 0) return wrongMethod(others, request);
  const misplaced = misplacedRow(table, request.path);
  return misplaced ? misplacedMiss(misplaced, request) : nowhere(table, request);
}

function notOfferedMiss(
  { what, instead, format, plainError }: NotOffered,
  { rows }: EndpointTable,
  { baseUrl }: EndpointRequest,
): Miss {
  const codec = rows.find(({ codec }) => codec.name === format)?.codec;
  const message = `${what} not offered here: ${instead.replaceAll("{base_url}", baseUrl)}`;
  return { codec, error: new GatewayError("unknown_endpoint", message), plainError };
}

function wrongMethod(rows: readonly EndpointRow[], { method }: EndpointRequest): Miss {
  const allow = [...new Set(rows.map(({ endpoint }) => endpoint.method))];
  return { codec: rows[0].codec, error: methodNotAllowed(method, allow), allow };
}

/** The error of an address that is served with other methods. */
export function methodNotAllowed(method: string, allow: readonly string[]): GatewayError {
  const message = `Cannot ${method} this address: use ${allow.join(" or ")}`;
  return new GatewayError("method_not_allowed", message);
}

const segmentsMax = 50;

/** The served address at the end of a path, after a prefix or without its version. */
function misplacedRow(table: EndpointTable, path: string): EndpointRow | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.length > segmentsMax) return undefined;
  for (const index of segments.keys()) {
    const end = `/${segments.slice(index).join("/")}`;
    for (const version of path.includes(":") ? ["", "/v1beta"] : ["", "/v1"]) {
      const [row] = rowsAt(table, version + end);
      if (row) return row;
    }
  }
  return undefined;
}

function misplacedMiss({ codec, endpoint }: EndpointRow, { path, baseUrl }: EndpointRequest): Miss {
  const base = suggestedBaseUrls(baseUrl, path);
  const advice = base ? `. Set the client's base URL to ${base}` : "";
  const message = `No endpoint at this path: use ${addressOf(endpoint)}${advice}`;
  return { codec, error: new GatewayError("unknown_endpoint", message) };
}

function nowhere({ rows }: EndpointTable, { path, baseUrl }: EndpointRequest): Miss {
  const near = nearestRow(rows, path);
  const message = near
    ? `No endpoint at this path. Did you mean ${addressOf(near.endpoint)}?`
    : `No endpoint at this path. Base URLs are ${baseUrl}/v1 for OpenAI's clients, ${baseUrl} for Anthropic's and Google's; GET ${baseUrl}/openapi.json lists all endpoints`;
  return { codec: near?.codec, error: new GatewayError("unknown_endpoint", message) };
}

/** The address of an endpoint, its parameters in braces. */
function addressOf({ path, verb }: Endpoint): string {
  return verb ? `${path}:${verb}` : path;
}

/** Maximum typos; at most one character of four. */
const typosMax = 4;

const pathCharsMax = 200;

/** The row of the address that was probably meant: one that continues the path, or that differs by typos. */
function nearestRow<Row extends { readonly endpoint: Endpoint }>(
  rows: readonly Row[],
  path: string,
): Row | undefined {
  if (path.length > pathCharsMax) return undefined;
  const longer = rows.find(({ endpoint }) => addressOf(endpoint).startsWith(`${path}/`));
  if (longer && path.split("/").length > 2) return longer;
  const ranked = rows.map((row) => ({ row, far: editDistance(addressOf(row.endpoint), path) }));
  const best = ranked.reduce((best, next) => next.far < best.far ? next : best);
  return best.far <= Math.min(typosMax, path.length / 4) ? best.row : undefined;
}
