import type { Codec } from "../formats/codec.ts";
import type { Endpoint } from "../formats/wire.ts";
import { isVerbNotOffered } from "./not_offered.ts";

/** A matched address: its format and the parameters of its path. */
export interface Match {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
  /** The decoded `{model}` or `{id}` of the path. */
  readonly parameter?: string;
  /** The decoded `{item}` of the path. */
  readonly item?: string;
  /** The path for the codec, relative to its format's base URL. */
  readonly wirePath: string;
}

export interface ServedEndpoint {
  readonly codec: Codec;
  readonly endpoint: Endpoint;
}

/** A served address, prepared for matching. */
export interface EndpointRow {
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

/** All served addresses. */
export interface EndpointTable {
  readonly rows: readonly EndpointRow[];
  /** The matches of paths without parameters, by method and path. */
  readonly literal: ReadonlyMap<string, Match>;
  readonly patterns: readonly EndpointRow[];
  /** Every `:verb` that a path may end in. */
  readonly verbs: ReadonlySet<string>;
}

/** Makes the table of the served endpoints. */
export function tableOf(served: readonly ServedEndpoint[]): EndpointTable {
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

/** Finds the matching row of a path with parameters. */
export function matchIn(
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

/** The rows of a path for all methods. */
export function rowsAt({ rows, verbs }: EndpointTable, path: string): EndpointRow[] {
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
