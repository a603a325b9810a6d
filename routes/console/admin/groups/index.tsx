import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { GroupMatrix, GroupTable } from "../../../../components/groups/GroupTables.tsx";
import { GroupFilters } from "../../../../components/groups/GroupFilters.tsx";
import { Pager } from "../../../../components/Pager.tsx";
import {
  filterGroups,
  groupsPath,
  readGroupQuery,
} from "../../../../lib/console/groups/group_list.ts";
import { pageOf } from "../../../../lib/console/page/list_query.ts";
import { pageRowsOf } from "../../../../lib/console/page/page_rows.ts";
import type { Group } from "../../../../lib/store/catalog/mod.ts";
import type { Directory } from "../../../../lib/store/directory/mod.ts";
import { Icon } from "../../../../components/Icon.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { Empty } from "../../../../components/States.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { groupMatrix } from "../../../../lib/console/groups/group_form.ts";
import { groupUses } from "../../../../lib/console/groups/group_use.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";

/** Groups, and what each model is to each of them; `readGroupQuery` says which. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services, nowMs } }) {
    const { store, directory } = services;
    const done = (["saved", "deleted"] as const).find((one) =>
      one === url.searchParams.get("done")
    );
    if (done) await directory.refresh(); // what was just done is shown
    const query = readGroupQuery(url.searchParams);
    const uses = await groupUses(store, directory);
    const matching = filterGroups(directory.groups(), query, uses);
    const { rows: shown, hasMore } = pageOf(matching, query.page, pageRowsOf(services));
    const models = groupMatrix(limitedTo(shown, directory), nowMs)
      .filter(({ model }) => model.toLowerCase().includes(query.model.toLowerCase()));
    return page({
      query,
      groups: shown,
      found: matching.length,
      hasMore,
      uses,
      matrix: pageOf(models, query.modelPage, pageRowsOf(services)),
      done,
    });
  },
});

/** What is known, of some groups alone. */
function limitedTo(
  groups: readonly Group[],
  directory: Pick<Directory, "models" | "upstreams" | "upstreamLists">,
): Pick<Directory, "groups" | "models" | "upstreams" | "upstreamLists"> {
  return {
    groups: () => groups,
    models: () => directory.models(),
    upstreams: () => directory.upstreams(),
    upstreamLists: () => directory.upstreamLists(),
  };
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts, modelList } = view.catalog;
  const { query, groups, found, hasMore, uses, matrix, done } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="groups"
      action={
        <A class="button primary" href="/console/admin/groups/new">
          <Icon name="plus" />
          {texts.add}
        </A>
      }
    >
      {done && <Notice text={texts[done]} />}
      <Panel id="groups" title={texts.list(found)} end={<GroupFilters view={view} query={query} />}>
        {groups.length === 0
          ? (
            <Empty icon="search" title={texts.noMatch}>
              <A class="button" href="/console/admin/groups">{modelList.clear}</A>
            </Empty>
          )
          : <GroupTable view={view} query={query} groups={groups} uses={uses} />}
        <Pager
          texts={{ pages: texts.pages, newest: modelList.first, older: modelList.next }}
          newest={query.page > 1 ? groupsPath({ ...query, page: 1 }) : undefined}
          older={hasMore ? groupsPath({ ...query, page: query.page + 1 }) : undefined}
        />
      </Panel>
      <Panel id="matrix" title={texts.matrix}>
        {matrix.rows.length === 0
          ? <Empty icon="layers" title={texts.empty} text={texts.emptyText} />
          : (
            <>
              <GroupMatrix view={view} groups={groups} rows={matrix.rows} />
              <p class="hint below">{texts.matrixText}</p>
            </>
          )}
        <Pager
          texts={{ pages: modelList.pages, newest: modelList.first, older: modelList.next }}
          newest={query.modelPage > 1 ? groupsPath({ ...query, modelPage: 1 }) : undefined}
          older={matrix.hasMore
            ? groupsPath({ ...query, modelPage: query.modelPage + 1 })
            : undefined}
        />
      </Panel>
    </ConsolePage>
  );
});
