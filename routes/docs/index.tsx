import { page } from "fresh";
import { DocsHome } from "../../components/docs/DocsHome.tsx";
import { DocsLayout } from "../../components/docs/DocsLayout.tsx";
import { docsView } from "../../lib/console/docs/docs_view.ts";
import { define } from "../../lib/console/session/state.ts";

/** The documents, by need. */
export const handler = define.handlers({
  GET: async (ctx) => page(await docsView(ctx)),
});

export default define.page<typeof handler>(({ data: docs }) => {
  const { title, lead } = docs.view.catalog.docs;
  return (
    <DocsLayout docs={docs} title={title} summary={lead}>
      <DocsHome docs={docs} />
    </DocsLayout>
  );
});
