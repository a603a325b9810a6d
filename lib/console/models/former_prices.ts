import { modelPath } from "./model_path.ts";

/** The former pages of prices, and the pages that have their content now. */
const pathOf = {
  "": () => "/console/pricing",
  catalog: () => "/console/pricing/catalog",
  model: (fields: URLSearchParams) => modelPath(fields.get("id") ?? ""),
} as const;

/** Redirects bookmarks of a former page. */
export function movedPrices(page: keyof typeof pathOf) {
  return {
    GET: ({ url }: { readonly url: URL }) =>
      new Response(null, { status: 308, headers: { location: pathOf[page](url.searchParams) } }),
  };
}
