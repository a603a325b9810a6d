import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Empty } from "../../../../components/States.tsx";
import { UpstreamTable } from "../../../../components/UpstreamTable.tsx";
import { WhichUpstream } from "../../../../components/WhichUpstream.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { formatNames } from "../../../../lib/canonical/mod.ts";
import { loaded } from "../../../../lib/console/loaded.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { healthOf, verdictsFor } from "../../../../lib/console/upstream_page.ts";
import { accountView } from "../../../../lib/console/view.ts";
import { defaultGroupId, listUpstreams } from "../../../../lib/store/mod.ts";

/** All upstreams, and with `?model=`, `group` and `format` which of them would serve that. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const { services: { store, directory } } = state;
    const found = await loaded(listUpstreams(store));
    const rows = found?.toSorted((a, b) => b.priority - a.priority)
      .map((upstream) => ({ upstream, health: healthOf(upstream.id, state) }));
    const asked = {
      model: (searchParams.get("model") ?? "").trim().slice(0, 200),
      group: searchParams.get("group") ?? defaultGroupId,
      format: formatNames.find((name) => name === searchParams.get("format")) ?? formatNames[0],
    };
    const groups = directory.groups().map(({ id }) => id);
    const verdicts = asked.model === "" ? undefined : verdictsFor(asked, state);
    return page({
      rows,
      asked,
      groups,
      verdicts,
      isDeleted: searchParams.get("done") === "deleted",
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { upstreams: texts } = view.catalog;
  const { rows, asked, groups, verdicts, isDeleted } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="upstreams"
      action={
        <a class="button primary" href="/console/admin/upstreams/new" aria-current="false">
          <Icon name="plus" />
          {texts.add}
        </a>
      }
    >
      {isDeleted && <Notice text={texts.done.deleted} />}
      <section class="panel" aria-labelledby="upstreams">
        <header>
          <h2 id="upstreams">{texts.count(rows?.length ?? 0)}</h2>
        </header>
        {rows === undefined
          ? (
            <Empty icon="triangle-alert" title={texts.failed}>
              <a class="button" href={view.path} aria-current="false">{texts.retry}</a>
            </Empty>
          )
          : rows.length === 0
          ? <Empty icon="server" title={texts.empty} text={texts.emptyText} />
          : (
            <>
              <UpstreamTable view={view} rows={rows} />
              <p class="hint below">{texts.here}</p>
            </>
          )}
      </section>
      <WhichUpstream view={view} groups={groups} asked={asked} verdicts={verdicts} />
    </ConsolePage>
  );
});
