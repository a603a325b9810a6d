import { page } from "fresh";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { GroupMatrix, GroupTable } from "../../../../components/GroupTables.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Empty } from "../../../../components/States.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { groupMatrix } from "../../../../lib/console/group_form.ts";
import { groupUses } from "../../../../lib/console/group_use.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { accountView } from "../../../../lib/console/view.ts";

/** All groups, and what each model is to each of them. */
export const handler = defineForAccount.handlers({
  async GET({ url, state: { services: { store, directory }, nowMs } }) {
    const done = (["saved", "deleted"] as const).find((one) =>
      one === url.searchParams.get("done")
    );
    if (done) await directory.refresh(); // what was just done is shown
    return page({
      groups: directory.groups(),
      uses: await groupUses(store, directory),
      rows: groupMatrix(directory, nowMs),
      done,
    });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  const { groups, uses, rows, done } = data;
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
      {done && <Notice text={texts[done]} />}
      <section class="panel" aria-labelledby="groups">
        <header>
          <h2 id="groups">{texts.list(groups.length)}</h2>
        </header>
        <GroupTable view={view} groups={groups} uses={uses} />
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
