import {
  type ChainMember,
  createModel,
  deleteModel,
  getModel,
  type Model,
  updateModel,
} from "../../store/catalog/mod.ts";
import { type AuditContext, auditEntry, changesBetween } from "../audit.ts";
import { membersText } from "./chain_form.ts";
import { isBare } from "./price_changes.ts";

interface ChainContext extends AuditContext {
  /** May refuse the record that is replaced by throwing. */
  readonly check?: (id: string, current: Model | undefined) => void;
}

/**
 * Sets the members of a virtual model, or makes it an ordinary name again, with an audit entry in
 * the same commit. Returns false if the configuration declares the model.
 */
export async function setMembers(
  id: string,
  members: readonly ChainMember[] | undefined,
  ctx: ChainContext,
): Promise<boolean> {
  const { services: { store }, nowMs } = ctx.state;
  const current = await getModel(store, id);
  if (current?.origin === "config") return false;
  const audit = (before?: Model) => {
    ctx.check?.(id, before);
    return entryOf(id, { before: before?.members, after: members }, ctx);
  };
  if (!current) {
    if (!members) return true;
    const model: Model = { id, members, createdAtMs: nowMs, origin: "console" };
    await createModel(store, model, { audit: audit() });
    return true;
  }
  const change = ({ members: _, ...model }: Model): Model => ({
    ...model,
    ...(members && { members }),
  });
  if (!members && !current.price && isBare(change(current))) {
    return await deleteModel(store, id, { audit });
  }
  return await updateModel(store, id, change, { audit }) !== undefined;
}

function entryOf(
  id: string,
  { before, after }: {
    readonly before: readonly ChainMember[] | undefined;
    readonly after: readonly ChainMember[] | undefined;
  },
  ctx: AuditContext,
) {
  const changes = changesBetween(
    { members: before && membersText(before) },
    { members: after && membersText(after) },
  );
  return auditEntry(ctx, {
    kind: "model",
    action: "changed",
    targetId: id,
    targetName: id,
    changes,
  });
}
