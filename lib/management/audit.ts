import { z } from "zod";
import {
  auditActions,
  type AuditEntry,
  auditKinds,
  getAuditEntry,
  listAuditEntries,
} from "../store/audit/mod.ts";
import { notFound } from "./http/error.ts";
import { operation } from "./http/operation.ts";
import { listSchema, pageQuery, readCursor, storedPageReply } from "./http/page.ts";
import { namedObject, timeAnswer, timeInput, timeText } from "./http/schema.ts";

const textMax = 200;
const filterText = z.string().min(1).max(textMax);
const part = z.object({ id: z.string(), name: z.string().describe("At the time of the change") });

const auditEntry = namedObject("AuditEntry", {
  id: z.string(),
  at: timeAnswer,
  actor: part.describe("A user, or an API token with the address of its administrator"),
  kind: z.enum(auditKinds),
  action: z.enum(auditActions),
  target: part,
  changes: z.array(z.object({
    field: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
});

const query = pageQuery.extend({
  kind: z.enum(auditKinds).optional(),
  action: z.enum(auditActions).optional(),
  actor: filterText.optional().describe("The ID of the actor, or a part of its name"),
  text: filterText.optional()
    .describe("A part of the actor's name, the target's name or ID, or the address"),
  from: timeInput.optional().describe("Inclusive"),
  to: timeInput.optional().describe("Exclusive"),
});

/** Reads the audit log. Nothing changes it. */
export const auditOperations = [
  operation("GET /audit", {
    summary: "List the audit log, newest first",
    scope: "audit:read",
    query,
    answer: listSchema(auditEntry),
  }, async (call) => {
    const { kind, action, actor, text, from, to, limit } = call.query;
    const filter = { kind, action, actor, text, fromMs: from, toMs: to };
    const before = await readCursor(call);
    const { store } = call.state.services;
    const { entries, next } = await listAuditEntries(store, { filter, before, limit });
    return await storedPageReply(entries.map(entryJson), next, call);
  }),
  operation("GET /audit/{id}", {
    summary: "Read an entry of the audit log",
    scope: "audit:read",
    answer: auditEntry,
  }, async ({ params: { id }, state }) => {
    const entry = await getAuditEntry(state.services.store, id);
    if (!entry) throw notFound("entry of the audit log", id);
    return { body: entryJson(entry), record: entry };
  }),
];

function entryJson(entry: AuditEntry): z.output<typeof auditEntry> {
  const { id, atMs, actorId, actorName, kind, action, targetId, targetName } = entry;
  return {
    id,
    at: timeText(atMs),
    actor: { id: actorId, name: actorName },
    kind,
    action,
    target: { id: targetId, name: targetName },
    changes: entry.changes.map(({ field, before = null, after = null }) => ({
      field,
      before,
      after,
    })),
    reason: entry.reason ?? null,
    ip: entry.ip ?? null,
  };
}
