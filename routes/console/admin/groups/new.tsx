import { Panel } from "../../../../components/Panel.tsx";
import { GroupForm } from "../../../../components/groups/GroupForm.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { auditEntry, changesBetween } from "../../../../lib/console/audit/audit.ts";
import {
  type GroupFaults,
  groupOf,
  type GroupValues,
  groupValues,
  groupWords,
  readGroupForm,
} from "../../../../lib/console/groups/group_form.ts";
import { defineForm } from "../../../../lib/console/page/define_form.ts";
import { listFormBytesMax } from "../../../../lib/console/page/form_body.ts";
import { seeOther } from "../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { createGroup } from "../../../../lib/store/catalog/mod.ts";
import { unlessTaken } from "../../../../lib/store/mod.ts";

interface NewGroupData {
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

/** Adds a group. */
export const handler = defineForm<NewGroupData>({
  load: () => ({ values: groupValues(), faults: {} }),
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { services: { store }, catalog: { groups: texts } } = ctx.state;
    const values = readGroupForm(form);
    const result = groupOf(values, undefined, texts);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const { group } = result;
    const changes = changesBetween({}, groupWords(group));
    const target = { targetId: group.id, targetName: group.id };
    const audit = auditEntry(ctx, { kind: "group", action: "created", ...target, changes });
    const created = await unlessTaken(createGroup(store, group, { audit }));
    return created === "taken"
      ? await again({ values, faults: { id: texts.fault.taken } })
      : seeOther("/console/admin/groups?done=saved");
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { groups: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="groups">
      <Panel id="group" title={texts.add}>
        <GroupForm view={view} values={data.values} faults={data.faults} isNew />
      </Panel>
    </ConsolePage>
  );
});
