import type { Context } from "fresh";
import type { AuditDraft, AuditEntry } from "../../store/audit/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { clientAddress } from "../session/request_state.ts";
import type { ConsoleState } from "../session/state.ts";

/** Drafts the audit entry of a change to the user's own account, even before there is a session. */
export function ownEntry(
  { state: { nowMs }, info }: Pick<Context<ConsoleState>, "state" | "info">,
  { id, email }: User,
  { action, changes }: Pick<AuditEntry, "action" | "changes">,
): AuditDraft {
  const ip = clientAddress({ info });
  return {
    kind: "user",
    action,
    atMs: nowMs,
    actorId: id,
    actorName: email,
    targetId: id,
    targetName: email,
    changes,
    ...(ip !== undefined && { ip }),
  };
}
