import { editDistance, GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Endpoint } from "../formats/wire.ts";
import { type EndpointRow, type EndpointTable, rowsAt } from "./endpoint_table.ts";
import { type NotOffered, notOffered } from "./not_offered.ts";
import { suggestedBaseUrls } from "./suggested_base_url.ts";

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

/** A request for an address that is not served. */
interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  readonly baseUrl: string;
}

/** Describes the miss of a request without an endpoint. */
export function missing(table: EndpointTable, request: EndpointRequest): Miss {
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
export function misplacedRow(table: EndpointTable, path: string): EndpointRow | undefined {
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
