import { page } from "fresh";
import { Contents, DocArticle } from "../../components/docs/DocArticle.tsx";
import { DocMatches, DocsLayout } from "../../components/docs/DocsLayout.tsx";
import { docsView, sourceAnswer } from "../../lib/console/docs/docs_view.ts";
import { define } from "../../lib/console/session/state.ts";
import { readPage, searchDocs } from "../../lib/docs/mod.ts";

/** A page of the documents, its Markdown with `.md` appended, or a file that pages link. */
export const handler = define.handlers({
  async GET(ctx) {
    const { path } = ctx.params;
    const source = await sourceAnswer(path);
    if (source) return source;
    const docs = await docsView(ctx);
    const found = await readPage(path);
    if (found) return page({ docs, page: found, matches: [] });
    const matches = await searchDocs(path.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
    return page({ docs, page: undefined, matches }, { status: 404 });
  },
});

export default define.page<typeof handler>(({ data: { docs, page, matches } }) => {
  if (page) {
    return (
      <DocsLayout
        docs={docs}
        title={page.title}
        summary={page.summary}
        aside={<Contents docs={docs} page={page} />}
      >
        <DocArticle docs={docs} page={page} />
      </DocsLayout>
    );
  }
  const { docs: texts, failure } = docs.view.catalog;
  return (
    <DocsLayout docs={docs} title={failure.notFound}>
      <article class="doc-text">
        <h1>{failure.notFound}</h1>
        <p>{matches.length > 0 ? texts.similar : texts.gone}</p>
        <DocMatches matches={matches} />
      </article>
    </DocsLayout>
  );
});
