/** Marks a link to the page at hand, or to one above it, for styles and for screen readers. */
export function ancestryOf(
  props: Readonly<Record<string, unknown>>,
  url: URL,
): Record<string, unknown> {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return {};
  const marked = props["aria-current"] !== undefined;
  switch (kinshipOf(href, url)) {
    case "self":
      return marked ? {} : { "data-current": "true", "aria-current": "page" };
    case "ancestor":
      return marked ? {} : { "data-ancestor": "true", "aria-current": "true" };
    case "none":
      return {};
  }
}

function kinshipOf(href: string, url: URL): "self" | "ancestor" | "none" {
  const target = URL.parse(href, "http://localhost");
  if (target === null) return "none";
  const there = withoutFinalSlash(target.pathname);
  const here = withoutFinalSlash(url.pathname);
  if (there === here) {
    return target.search === "" || target.search === url.search ? "self" : "ancestor";
  }
  return there === "/" || here.startsWith(`${there}/`) ? "ancestor" : "none";
}

function withoutFinalSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
