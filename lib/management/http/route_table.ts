import type { ApiOperation } from "./operation.ts";
import { objectIdCharsMax } from "./schema.ts";

/** The beginning of all addresses of the API. */
export const basePath = "/api/v1";

/** An address with its operations by method. */
interface Route {
  readonly parts: readonly string[];
  readonly methods: Map<string, ApiOperation>;
}

/** A matched address. */
interface RouteMatch {
  readonly methods: ReadonlyMap<string, ApiOperation>;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the operations of a path below `/api/v1`; undefined if there are none. */
export type FindRoute = (pathname: string) => RouteMatch | undefined;

/**
 * Makes the table of all addresses. A part in braces matches any text; literal parts come first, so
 * that `/calls/export` is not the call `export`.
 */
export function routeTable(operations: readonly ApiOperation[]): FindRoute {
  const routes = new Map<string, Route>();
  for (const operation of operations) {
    const { path, method } = operation;
    const route = routes.get(path) ?? { parts: path.split("/"), methods: new Map() };
    routes.set(path, route);
    if (route.methods.has(method)) throw new Error(`Two operations for ${method} ${path}`);
    route.methods.set(method, operation);
  }
  const sorted = [...routes.values()].sort((a, b) => parameterCount(a) - parameterCount(b));
  return (pathname) => {
    const parts = pathname.slice(basePath.length).replace(/\/$/, "").split("/");
    for (const route of sorted) {
      const params = paramsOf(route, parts);
      if (params) return { methods: route.methods, params };
    }
    return undefined;
  };
}

function parameterCount({ parts }: Route): number {
  return parts.filter((part) => part.startsWith("{")).length;
}

function paramsOf({ parts }: Route, found: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    if (!part.startsWith("{")) {
      if (part !== found[at]) return undefined;
    } else {
      const value = decoded(found[at]);
      if (value === undefined) return undefined;
      params[part.slice(1, -1)] = value;
    }
  }
  return params;
}

/** Undefined for a part that is empty, too long or wrongly encoded: no object has such an id. */
function decoded(part: string): string | undefined {
  try {
    const value = decodeURIComponent(part);
    return value === "" || value.length > objectIdCharsMax ? undefined : value;
  } catch {
    return undefined;
  }
}
