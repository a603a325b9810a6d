import { page } from "fresh";
import { DocMatches, DocsLayout } from "../../components/docs/DocsLayout.tsx";
import { docsView } from "../../lib/console/docs/docs_view.ts";
import { define } from "../../lib/console/session/state.ts";
import { searchDocs } from "../../lib/docs/mod.ts";

/** Search of the documents: a page, or JSON for the search field. */
export const handler = define.handlers({
  async GET(ctx) {
    const query = ctx.url.searchParams.get("q")?.trim() ?? "";
    const matches = query === "" ? [] : await searchDocs(query);
    if (ctx.req.headers.get("accept") === "application/json") return Response.json(matches);
    return page({ query, matches, docs: await docsView(ctx) });
  },
});

export default define.page<typeof handler>(({ data: { query, matches, docs } }) => {
  const { search, found } = docs.view.catalog.docs;
  return (
    <DocsLayout docs={docs} title={search.label} query={query}>
      <article class="doc-text">
        <h1>{search.label}</h1>
        <p role="status">{query ? found.count(matches.length, query) : found.hint}</p>
        <DocMatches matches={matches} />
      </article>
    </DocsLayout>
  );
});
