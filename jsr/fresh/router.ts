interface Match<T> {
  readonly route: string;
  readonly params: Record<string, string>;
  readonly item: T;
}

/** Finds the route of a path: literal paths first, then patterns in order of registration. */
export class Router<T> {
  readonly #literals = new Map<string, T>();
  readonly #patterns: { readonly pattern: URLPattern; readonly item: T }[] = [];

  add(path: string, item: T): void {
    if (!/[:*]/.test(path)) this.#literals.set(withoutFinalSlash(path), item);
    else this.#patterns.push({ pattern: new URLPattern({ pathname: path }), item });
  }

  match(pathname: string): Match<T> | null {
    const route = withoutFinalSlash(pathname);
    const literal = this.#literals.get(route);
    if (literal !== undefined) return { route, params: {}, item: literal };
    for (const { pattern, item } of this.#patterns) {
      const groups = pattern.exec({ pathname })?.pathname.groups;
      if (groups) return { route: pattern.pathname, params: paramsOf(groups), item };
    }
    return null;
  }
}

function paramsOf(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  // Keeps `%2F` encoded, so that a slash in a value does not split the path. Throws for `%ff`.
  for (const [name, value] of Object.entries(groups)) params[name] = decodeURI(value ?? "");
  return params;
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
