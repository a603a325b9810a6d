import { HttpError } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { Panel } from "../../../../../components/Panel.tsx";
import { GroupForm } from "../../../../../components/groups/GroupForm.tsx";
import { GroupTable } from "../../../../../components/groups/GroupPanel.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { changeGroup } from "../../../../../lib/console/groups/group_changes.ts";
import {
  type GroupFaults,
  groupOf,
  type GroupValues,
  groupValues,
  readGroupForm,
} from "../../../../../lib/console/groups/group_form.ts";
import { type GroupUse, groupUses } from "../../../../../lib/console/groups/group_use.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { listFormBytesMax } from "../../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../../lib/console/session/state.ts";
import { defaultGroupId, getGroup, type Group } from "../../../../../lib/store/catalog/mod.ts";

interface GroupData {
  readonly uses: ReadonlyMap<string, GroupUse>;
  readonly group: Group;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

/** One group, with a form to change it unless the configuration declares it. */
export const handler = defineForm<GroupData>({
  async load({ params, state: { services } }) {
    const group = await groupAt(params.id, services);
    const uses = await groupUses(services.store, services.directory);
    return { uses, group, values: groupValues(group), faults: {} };
  },
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { params, state: { services, catalog } } = ctx;
    const current = await groupAt(params.id, services);
    const { id } = current;
    if (current.origin !== "console") throw new HttpError(404);
    const values = { ...readGroupForm(form), id };
    const result = groupOf(values, current, catalog.groups);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    await changeGroup(ctx, id, () => result.group);
    return seeOther("/console/admin/groups?done=saved");
  },
});

async function groupAt(id: string, { store }: AccountState["services"]): Promise<Group> {
  const group = id.length <= 100 ? await getGroup(store, id) : undefined;
  if (group === undefined) throw new HttpError(404);
  return group;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  const { group, values, faults, uses } = data;
  return (
    <ConsolePage view={view} title={group.id} place="groups">
      <Panel
        id="group"
        title={texts.name}
        end={group.origin === "console" && group.id !== defaultGroupId && (
          <A class="button" href={`/console/admin/groups/${group.id}/delete`}>{texts.delete}</A>
        )}
      >
        {group.origin === "console"
          ? <GroupForm view={view} values={values} faults={faults} isNew={false} />
          : (
            <>
              <p class="hint below">{texts.declaredText}</p>
              <GroupTable view={view} row={{ group, use: uses.get(group.id) }} />
            </>
          )}
      </Panel>
    </ConsolePage>
  );
});
