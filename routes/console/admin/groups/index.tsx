import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { GroupMatrix, GroupTable } from "../../../../components/GroupTables.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Empty } from "../../../../components/States.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { groupMatrix } from "../../../../lib/console/group_form.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { accountView } from "../../../../lib/console/view.ts";

/** All groups, and what each model is to each of them. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services: { directory }, nowMs } }) {
    const isSaved = url.searchParams.get("done") === "saved";
    if (isSaved) await directory.refresh(); // what was just saved is shown
    return page({
      groups: directory.groups(),
      rows: groupMatrix(directory, nowMs),
      isSaved,
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  const { groups, rows, isSaved } = data;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="groups"
      action={
        <a class="button primary" href="/console/admin/groups/new" aria-current="false">
          <Icon name="plus" />
          {texts.add}
        </a>
      }
    >
      {isSaved && <Notice text={texts.saved} />}
      <section class="panel" aria-labelledby="groups">
        <header>
          <h2 id="groups">{texts.list(groups.length)}</h2>
        </header>
        <GroupTable view={view} groups={groups} />
      </section>
      <section class="panel" aria-labelledby="matrix">
        <header>
          <h2 id="matrix">{texts.matrix}</h2>
        </header>
        {rows.length === 0 ? <Empty icon="layers" title={texts.empty} text={texts.emptyText} /> : (
          <>
            <GroupMatrix view={view} groups={groups} rows={rows} />
            <p class="hint below">{texts.matrixText}</p>
          </>
        )}
      </section>
    </ConsolePage>
  );
});
