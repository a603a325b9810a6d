import type { ComponentProps } from "preact";
import { Panel } from "../../../../components/Panel.tsx";
import { GroupForm } from "../../../../components/groups/GroupForm.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { addGroup } from "../../../../lib/admin/groups.ts";
import { groupOf, groupValues, readGroupForm } from "../../../../lib/console/groups/group_form.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";

type NewGroupData = Pick<ComponentProps<typeof GroupForm>, "values" | "faults">;

/** Adds a group. */
export const handler = defineForm<NewGroupData>({
  load: () => ({ values: groupValues(), faults: {} }),
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const values = readGroupForm(form);
    const result = groupOf(values);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const created = await addGroup(ctx, result.group);
    return created === "taken"
      ? await again({ values, faults: { id: "taken" } })
      : seeOther("/console/admin/groups?done=saved");
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { groups: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="groups">
      <Panel id="group" title={texts.add}>
        <GroupForm view={view} values={data.values} faults={data.faults} isNew />
      </Panel>
    </ConsolePage>
  );
});
