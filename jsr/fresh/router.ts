import type { Method } from "./handlers.ts";

export interface Match<T> {
  readonly route: string;
  readonly params: Record<string, string>;
  /** Undefined if the path is known but has no such method. */
  readonly item: T | null;
  readonly methods: readonly Method[];
}

/** Finds the route of a path: literal paths first, then patterns in order of registration. */
export class Router<T> {
  readonly #literals = new Map<string, Entry<T>>();
  readonly #patterns = new Map<string, Entry<T>>();

  /** The first registration of a path and method wins. */
  add(method: Method, path: string, item: T): void {
    const entry = isPattern(path)
      ? ensure(this.#patterns, path, path)
      : ensure(this.#literals, withoutFinalSlash(path), path);
    if (!entry.items.has(method)) entry.items.set(method, item);
  }

  match(method: Method, pathname: string): Match<T> | null {
    const literal = this.#literals.get(withoutFinalSlash(pathname));
    if (literal !== undefined) return matchOf(literal, method, {});
    for (const entry of this.#patterns.values()) {
      const groups = entry.pattern?.exec({ pathname })?.pathname.groups;
      if (groups !== undefined) return matchOf(entry, method, groups);
    }
    return null;
  }
}

interface Entry<T> {
  readonly route: string;
  readonly pattern: URLPattern | null;
  readonly items: Map<Method, T>;
}

function ensure<T>(
  entries: Map<string, Entry<T>>,
  key: string,
  path: string,
): Entry<T> {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const pattern = isPattern(path) ? new URLPattern({ pathname: path }) : null;
  const entry = {
    route: pattern?.pathname ?? path,
    pattern,
    items: new Map<Method, T>(),
  };
  entries.set(key, entry);
  return entry;
}

function matchOf<T>(
  entry: Entry<T>,
  method: Method,
  groups: Record<string, string | undefined>,
): Match<T> {
  const { items, route } = entry;
  const item = items.get(method) ??
    (method === "HEAD" ? items.get("GET") : undefined) ?? null;
  return { route, params: paramsOf(groups), item, methods: [...items.keys()] };
}

function paramsOf(
  groups: Record<string, string | undefined>,
): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(groups)) {
    params[name] = decode(value ?? "");
  }
  return params;
}

/** Keeps `%2F` encoded, so that a slash in a value does not split the path. */
function decode(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}

function isPattern(path: string): boolean {
  return /[:*{}()+?]/.test(path);
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
