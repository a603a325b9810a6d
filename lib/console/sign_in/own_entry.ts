import type { Context } from "fresh";
import { clientAddress } from "../../admin/audit.ts";
import type { AuditDraft, AuditEntry } from "../../store/audit/mod.ts";
import type { User } from "../../store/users/mod.ts";
import type { ConsoleState } from "../session/state.ts";

/** Drafts the audit entry of a change to the user's own account, even before there is a session. */
export function ownEntry(
  { state: { nowMs }, info }: Pick<Context<ConsoleState>, "state" | "info">,
  { id, email }: Pick<User, "id" | "email">,
  { reason, ...facts }: Pick<AuditEntry, "action" | "changes" | "reason">,
): AuditDraft {
  const ip = clientAddress({ info });
  return {
    ...facts,
    kind: "user",
    atMs: nowMs,
    actorId: id,
    actorName: email,
    targetId: id,
    targetName: email,
    ...(reason !== undefined && { reason }),
    ...(ip !== undefined && { ip }),
  };
}
