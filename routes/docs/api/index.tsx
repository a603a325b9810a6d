import { page } from "fresh";
import { ApiHome } from "../../../components/docs/ApiReference.tsx";
import { DocsLayout } from "../../../components/docs/DocsLayout.tsx";
import { apiGroups } from "../../../lib/console/docs/api_groups.ts";
import { docsView } from "../../../lib/console/docs/docs_view.ts";
import { define } from "../../../lib/console/session/state.ts";

/** The API reference: all operations. */
export const handler = define.handlers({
  GET: async (ctx) => page({ docs: await docsView(ctx), groups: await apiGroups(ctx) }),
});

export default define.page<typeof handler>(({ data: { docs, groups } }) => {
  const { apiReference, docs: { api } } = docs.view.catalog;
  return (
    <DocsLayout docs={docs} title={apiReference} summary={api.lead} groups={groups}>
      <ApiHome docs={docs} groups={groups} />
    </DocsLayout>
  );
});
