import { HttpError } from "fresh";
import type { ComponentProps } from "preact";
import { DeleteGroup } from "../../../../../components/groups/DeleteGroup.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { groupUses, isHeld, removeGroup } from "../../../../../lib/admin/groups.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { defaultGroupId, getGroup } from "../../../../../lib/store/catalog/mod.ts";

type DeleteData = Omit<ComponentProps<typeof DeleteGroup>, "view">;

/** Deletes a group. The page lists its uses; its keys move to another group first. */
export const handler = defineForm<DeleteData>({
  async load({ params: { id }, state: { services: { store, directory } } }) {
    const group = id.length <= 100 ? await getGroup(store, id) : undefined;
    if (group?.origin !== "console" || id === defaultGroupId) throw new HttpError(404);
    await directory.refresh(); // the uses must be current
    const use = (await groupUses(store, directory)).get(id) ??
      { keys: [], upstreams: [], serving: 0 };
    const others = directory.groups().map((one) => one.id).filter((one) => one !== id);
    return { id, use, others };
  },

  async submit(ctx, form, { load, again }) {
    const { id, use, others } = await load();
    const groupId = others.find((one) => one === form.get("group"));
    if (isHeld(use)) return await again({}, { status: 409 });
    if (use.keys.length > 0 && groupId === undefined) return await again({ isUnchosen: true });
    await removeGroup(ctx, id, { use, to: groupId });
    return seeOther("/console/admin/groups?done=deleted");
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.groups.title} place="groups">
      <DeleteGroup view={view} {...data} />
    </ConsolePage>
  );
});
