import { HttpError } from "fresh";
import { DeleteGroup } from "../../../../../components/groups/DeleteGroup.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import {
  auditChanges,
  type AuditContext,
  auditEntry,
} from "../../../../../lib/console/audit/audit.ts";
import { type GroupUse, groupUses, isHeld } from "../../../../../lib/console/groups/group_use.ts";
import { wordsOf } from "../../../../../lib/console/keys/key_edit.ts";
import { defineForm } from "../../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../../lib/console/page/see_other.ts";
import { accountView } from "../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { type ApiKey, moveApiKeys } from "../../../../../lib/store/api_keys/mod.ts";
import { defaultGroupId, deleteGroup, getGroup } from "../../../../../lib/store/catalog/mod.ts";

interface DeleteData {
  readonly id: string;
  readonly use: GroupUse;
  /** The groups that its keys can move to. */
  readonly others: readonly string[];
  /** No group was chosen for the keys. */
  readonly isUnchosen?: true;
}

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
    if (groupId !== undefined) await moveKeys(ctx, use, { from: id, to: groupId });
    const facts = { kind: "group", action: "deleted", targetId: id, targetName: id } as const;
    await deleteGroup(ctx.state.services.store, id, { audit: auditEntry(ctx, facts) });
    return seeOther("/console/admin/groups?done=deleted");
  },
});

async function moveKeys(
  ctx: AuditContext,
  { keys }: GroupUse,
  move: { readonly from: string; readonly to: string },
): Promise<void> {
  const audit = (before: ApiKey, after: ApiKey) => {
    const target = { targetId: after.id, targetName: after.name };
    return auditChanges(ctx, { kind: "key", action: "changed", ...target }, wordsOf)(before, after);
  };
  const ids = keys.map(({ key }) => key.id);
  await moveApiKeys(ctx.state.services.store, ids, { ...move, audit });
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  return (
    <ConsolePage view={view} title={view.catalog.groups.title} place="groups">
      <DeleteGroup view={view} {...data} />
    </ConsolePage>
  );
});
