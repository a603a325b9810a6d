const docs = new URL("https://docs.invalid/docs/");

/**
 * The address of a page's link. Relative links between files become addresses below `/docs`; links
 * to other hosts stay. Undefined for a link out of `docs/` or with another scheme.
 */
export function linkOf(href: string, slug: string): string | undefined {
  const target = URL.parse(href, new URL(slug, docs));
  if (!target) return undefined;
  if (target.origin !== docs.origin) return /^https?:$/.test(target.protocol) ? href : undefined;
  if (!target.pathname.startsWith(docs.pathname)) return undefined;
  const path = target.pathname.replace(/\/README\.md$/, "").replace(/\.md$/, "");
  return href.startsWith("#") ? href : path + target.hash;
}
