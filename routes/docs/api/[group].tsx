import { HttpError, page } from "fresh";
import { ApiGroupPage } from "../../../components/docs/ApiReference.tsx";
import { DocsLayout } from "../../../components/docs/DocsLayout.tsx";
import { apiGroups } from "../../../lib/console/docs/api_groups.ts";
import { docsView } from "../../../lib/console/docs/docs_view.ts";
import { define } from "../../../lib/console/session/state.ts";

/** A page of the API reference: the operations of one group. */
export const handler = define.handlers({
  async GET(ctx) {
    const groups = await apiGroups(ctx);
    const group = groups.find(({ slug }) => slug === ctx.params.group);
    if (!group) throw new HttpError(404);
    return page({ docs: await docsView(ctx), groups, group });
  },
});

export default define.page<typeof handler>(({ data: { docs, groups, group } }) => (
  <DocsLayout docs={docs} title={group.title} summary={group.text} groups={groups}>
    <ApiGroupPage docs={docs} group={group} />
  </DocsLayout>
));
