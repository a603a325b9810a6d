import type { AuditAction, AuditEntry } from "../store/audit/mod.ts";
import type { WebhookEvent } from "../store/webhooks/mod.ts";
import { type EventType, newEvent } from "./event_types.ts";

const keyTypes = {
  created: "key.created",
  rotated: "key.rotated",
  enabled: "key.enabled",
  disabled: "key.disabled",
  deleted: "key.deleted",
} as const satisfies Partial<Record<AuditAction, EventType>>;

/** The event of an entry of the audit log; undefined for one that no event reports. */
export function eventOfAudit(entry: AuditEntry): WebhookEvent | undefined {
  const { id, kind, action, atMs, actorId, actorName, targetId, targetName } = entry;
  if (kind !== "key" || !isKeyEvent(action)) return undefined;
  return newEvent(keyTypes[action], {
    id: `evt_${id}`,
    atMs,
    data: {
      message: `${actorName} ${action} the key ${targetName}`,
      key: { id: targetId, name: targetName },
      actor: { id: actorId, name: actorName },
    },
  });
}

function isKeyEvent(action: AuditAction): action is keyof typeof keyTypes {
  return Object.hasOwn(keyTypes, action);
}
