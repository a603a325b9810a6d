import { HttpError } from "fresh";
import { GroupPage } from "../../../../../components/groups/GroupPage.tsx";
import { changeGroup } from "../../../../../lib/admin/groups.ts";
import {
  groupOf,
  groupValues,
  readGroupForm,
} from "../../../../../lib/console/groups/group_form.ts";
import {
  type GroupPageData,
  readGroupFigures,
} from "../../../../../lib/console/groups/group_page.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../../lib/console/page/form.ts";
import { longestPeriod, readPeriod } from "../../../../../lib/console/page/period.ts";
import { recordAt } from "../../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { getGroup } from "../../../../../lib/store/catalog/mod.ts";

/** One group and the usage of `?period=`, with a form to change it unless the configuration declares it. */
export const handler = defineForm<GroupPageData>({
  async load({ params, state, url }) {
    const group = await groupAt(params.id, state);
    const span = readPeriod(url.searchParams, longestPeriod, state);
    const figures = await readGroupFigures(group, state, span);
    return { ...figures, group, values: groupValues(group), faults: {} };
  },
  bytesMax: listFormBytesMax,

  async submit(ctx, form, { again }) {
    const { params, state } = ctx;
    const current = await groupAt(params.id, state);
    const { id } = current;
    if (current.origin !== "console") throw new HttpError(404);
    const values = { ...readGroupForm(form), id };
    const result = groupOf(values, current);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    await changeGroup(ctx, id, () => result.group);
    return seeOther("/console/admin/groups?done=saved");
  },
});

/** The group in the address. */
const groupAt = recordAt(getGroup);

export default accountPage<typeof handler>(({ data, view }) => (
  <GroupPage
    view={view}
    data={data}
  />
));
