import { type ApiKey, moveApiKeys } from "../../store/api_keys/mod.ts";
import { createGroup, deleteGroup, type Group, updateGroup } from "../../store/catalog/mod.ts";
import { unlessTaken } from "../../store/mod.ts";
import { auditChanges, type AuditContext, auditEntry, changesBetween } from "../audit/audit.ts";
import { wordsOf } from "../keys/key_edit.ts";
import { groupWords } from "./group_form.ts";
import type { GroupUse } from "./group_use.ts";

/** Creates a group. Returns `taken` if there is one of its name. */
export function addGroup(ctx: AuditContext, group: Group): Promise<void | "taken"> {
  const changes = changesBetween({}, groupWords(group));
  const audit = auditEntry(ctx, { ...factsOf(group.id), action: "created", changes });
  return unlessTaken(createGroup(ctx.state.services.store, group, { audit }));
}

/** Changes a group's settings. Returns undefined if it is gone. */
export function changeGroup(
  ctx: AuditContext,
  id: string,
  change: (current: Group) => Group,
): Promise<Group | undefined> {
  const audit = auditChanges(ctx, { ...factsOf(id), action: "changed" }, groupWords);
  return updateGroup(ctx.state.services.store, id, change, { audit });
}

/**
 * Moves the keys of a group to another, if one is given, and deletes the group. `check` may refuse
 * the deletion by throwing. Returns false if the group is gone.
 */
export async function removeGroup(
  ctx: AuditContext,
  id: string,
  { use, to, check = () => {} }: {
    readonly use: GroupUse;
    readonly to?: string;
    readonly check?: (current: Group) => void;
  },
): Promise<boolean> {
  if (to !== undefined) await moveKeys(ctx, use, { from: id, to });
  const audit = (deleted: Group) => {
    check(deleted);
    return auditEntry(ctx, { ...factsOf(id), action: "deleted" });
  };
  return await deleteGroup(ctx.state.services.store, id, { audit });
}

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

function factsOf(id: string) {
  return { kind: "group", targetId: id, targetName: id } as const;
}
