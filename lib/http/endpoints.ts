import { GatewayError } from "../canonical/mod.ts";
import type { Codec, Endpoint } from "../formats/codec.ts";

/** A served address, found: whose format it is and what its path says. */
export interface Match {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The decoded `{model}` or `{id}` of the path. */
  readonly parameter?: string;
  /** Its decoded `{item}`. */
  readonly item?: string;
  /** The path that the codec reads, relative to its format's base URL. */
  readonly wirePath: string;
}

/** No such address: the error that says what to do, and the format whose clients sent it most likely. */
export interface Miss {
  readonly codec: Codec;
  readonly error: GatewayError;
}

export interface ServedEndpoint {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
}

/** Messages name the gateway by `baseUrl`: its address without a path. */
export type FindEndpoint = (method: string, pathname: string, baseUrl?: string) => Match | Miss;

/**
 * Makes the table of all addresses. A miss carries `method_not_allowed`,
 * `duplicated_path_segment` (naming the base URL to configure), or `unknown_endpoint` (naming the
 * nearest address).
 */
export function endpointFinder(served: readonly ServedEndpoint[]): FindEndpoint {
  const rows = served.map(({ codec, endpoint }) => rowOf(codec, endpoint));
  const literal = new Map(
    rows.filter(({ tail }) => tail === undefined).map((
      row,
    ) => [`${row.endpoint.method} ${row.head}`, row]),
  );
  const patterns = rows.filter(({ tail }) => tail !== undefined);
  return (method, pathname, baseUrl = "{base_url}") => {
    const path = withoutTrailingSlash(pathname);
    const row = literal.get(`${method} ${path}`);
    if (row) return { codec: row.codec, endpoint: row.endpoint, wirePath: row.wirePathOf(path) };
    const doubled = doubledSegment(path, baseUrl); // before the patterns: `/v1/models/v1/models` names no model
    if (doubled) return { codec: nearestRow(rows, path).codec, error: doubled };
    for (const pattern of patterns) {
      const match = pattern.endpoint.method === method && matchPattern(pattern, path);
      if (match) return match;
    }
    return missing(rows, method, path);
  };
}

interface Row {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The path up to its parameter, or all of it. */
  readonly head: string;
  /** What follows the parameter; absent for a path without one. */
  readonly tail?: string;
  readonly wirePathOf: (path: string) => string;
}

function rowOf(codec: Codec, endpoint: Endpoint): Row {
  const [head, after] = endpoint.path.split(/\{(?:model|id)\}/);
  const tail = after === undefined ? undefined : after + (endpoint.verb ? `:${endpoint.verb}` : "");
  return {
    codec,
    endpoint,
    head,
    ...(tail !== undefined && { tail }),
    wirePathOf: (path) => wirePath(codec, path),
  };
}

function wirePath({ basePaths }: Codec, path: string): string {
  const base = basePaths.find((prefix) => path.startsWith(`${prefix}/`)) ?? "";
  return path.slice(base.length);
}

function matchPattern(row: Row, path: string): Match | undefined {
  const { head, tail = "" } = row;
  if (tail.endsWith(itemParameter)) return matchItem(row, path);
  if (!path.startsWith(head) || !path.endsWith(tail) || path.length <= head.length + tail.length) {
    return undefined;
  }
  const parameter = decoded(path.slice(head.length, path.length - tail.length));
  if (!row.endpoint.path.includes("{model}") && parameter.includes("/")) return undefined;
  return { codec: row.codec, endpoint: row.endpoint, parameter, wirePath: row.wirePathOf(path) };
}

const itemParameter = "{item}";

/** An `{id}` with an `{item}` behind it; neither holds a slash. */
function matchItem(row: Row, path: string): Match | undefined {
  const { codec, endpoint, head, tail = "" } = row;
  if (!path.startsWith(head)) return undefined;
  const [id, item, ...more] = path.slice(head.length).split(tail.slice(0, -itemParameter.length));
  if (!id || !item || more.length > 0 || id.includes("/") || item.includes("/")) return undefined;
  const wirePath = row.wirePathOf(path);
  return { codec, endpoint, parameter: decoded(id), item: decoded(item), wirePath };
}

/** The decoded parameter; one with broken percent-encoding stays as it is and names no model. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function missing(rows: readonly Row[], method: string, path: string): Miss {
  const nearest = nearestRow(rows, path);
  const others = rows.filter((row) =>
    row.tail === undefined ? row.head === path : matchPattern(row, path)
  );
  if (others.length > 0) return { codec: others[0].codec, error: wrongMethod(others, method) };
  const message = `No endpoint at this path; the nearest is ${addressOf(nearest.endpoint)}`;
  return { codec: nearest.codec, error: new GatewayError("unknown_endpoint", message) };
}

function wrongMethod(rows: readonly Row[], method: string): GatewayError {
  const methods = [...new Set(rows.map(({ endpoint }) => endpoint.method))].join(" or ");
  return new GatewayError("method_not_allowed", `Cannot ${method} this address: use ${methods}`);
}

function addressOf({ path, verb }: Endpoint): string {
  return verb ? `${path}:${verb}` : path;
}

/** A path whose base was configured with a segment too many, and the base that mends it. */
function doubledSegment(path: string, baseUrl: string): GatewayError | undefined {
  if (path.length > doubledCharsMax) return undefined;
  const found = doublings.find(({ pattern }) => pattern.test(path));
  if (!found) return undefined;
  const base = found.base.replaceAll("{base_url}", baseUrl);
  return new GatewayError(
    "duplicated_path_segment",
    `The path repeats ${found.segment}: configure the client's base URL as ${base}, without the endpoint's own path`,
  );
}

/** No client doubles a longer path, and the patterns' work grows with its square. */
const doubledCharsMax = 1_000;
const versions = "v1|v1beta|v1alpha";
const doublings = [
  {
    pattern: new RegExp(`^/(?:${versions})/v1beta(?:/|$)`),
    segment: "the version",
    base: "{base_url}/v1beta (or {base_url} where the client adds the version itself)",
  },
  {
    pattern: /\/chat\/completions\/(?:.*\/)?chat\/completions$/,
    segment: "/chat/completions",
    base: "{base_url}/v1",
  },
  {
    pattern:
      /\/chat\/completions\/(?:v1\/)?(?:responses|models|messages|embeddings|images|audio|moderations|rerank)/,
    segment: "the endpoint",
    base: "{base_url}/v1",
  },
  {
    pattern: /\/(embeddings|completions|moderations|rerank)\/(?:v1\/)?\1$/,
    segment: "the endpoint",
    base: "{base_url}/v1",
  },
  { pattern: /\/responses\/(?:v1\/)?responses$/, segment: "/responses", base: "{base_url}/v1" },
  {
    pattern: /\/messages\/(?:v1\/)?messages(?:\/count_tokens)?$/,
    segment: "/messages",
    base: "{base_url}",
  },
  {
    pattern: /\/models\/(?:v1beta\/|v1\/)?models\//,
    segment: "/models",
    base: "{base_url}/v1beta",
  },
  {
    pattern: new RegExp(`^/(?:${versions})/(?:${versions})/messages`),
    segment: "/v1",
    base: "{base_url}",
  },
  {
    pattern: new RegExp(`^/(?:${versions})/(?:${versions})(?:/|$)`),
    segment: "/v1",
    base: "{base_url}/v1 (or {base_url} where the client adds /v1 itself)",
  },
];

function nearestRow(rows: readonly Row[], path: string): Row {
  const bounded = path.slice(0, 200);
  const ranked = rows.map((row) => ({ row, far: distance(addressOf(row.endpoint), bounded) }));
  return ranked.reduce((best, next) => next.far < best.far ? next : best).row;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
