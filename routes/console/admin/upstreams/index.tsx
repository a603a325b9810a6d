import { page } from "fresh";
import { CreateLink } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { UpstreamPanel } from "../../../../components/upstreams/UpstreamPanel.tsx";
import { WhichUpstream } from "../../../../components/upstreams/WhichUpstream.tsx";
import { formatNames } from "../../../../lib/canonical/mod.ts";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { readUpstreamList, upstreamList } from "../../../../lib/console/upstreams/upstream_list.ts";
import { verdictsFor } from "../../../../lib/console/upstreams/upstream_page.ts";
import { defaultGroupId } from "../../../../lib/store/catalog/mod.ts";

/** All upstreams; `?model=`, `group` and `format` show the route of such a call. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const query = readQuery(upstreamList, searchParams);
    const asked = {
      model: (searchParams.get("model") ?? "").trim().slice(0, 200),
      group: searchParams.get("group") ?? defaultGroupId,
      format: formatNames.find((name) => name === searchParams.get("format")) ?? formatNames[0],
    };
    return page({
      query,
      list: await tryLoad(readUpstreamList(query, state)),
      asked,
      groups: state.services.directory.groups().map(({ id }) => id),
      verdicts: asked.model === "" ? undefined : verdictsFor(asked, state),
    });
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { upstreams: texts } = view.catalog;
  const { query, list, asked, groups, verdicts } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="upstreams"
      action={<CreateLink href="/console/admin/upstreams/new">{texts.add}</CreateLink>}
      done={texts.done}
    >
      <UpstreamPanel view={view} query={query} groups={groups} page={list} />
      <WhichUpstream view={view} groups={groups} asked={asked} verdicts={verdicts} />
    </ConsolePage>
  );
});
