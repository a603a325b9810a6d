import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import type { AuditDraft } from "../../lib/store/audit/mod.ts";
import type { Group, Model, UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { digestOf } from "../../lib/store/kv/digest.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Project } from "../../lib/store/projects/mod.ts";
import type { User } from "../../lib/store/users/mod.ts";

/** Valid records, each as small as can be. */

export function sampleUser(fields: Partial<User> = {}): User {
  return {
    id: "usr_1",
    email: "ada@example.com",
    role: "member",
    createdAtMs: 1,
    enabled: true,
    spending: "prepaid",
    ...fields,
  };
}

export const sampleSecret = "sk-sample-0123456789abcdef";

export function sampleKey(fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: "key_1",
    accountId: "owner",
    name: "one",
    digest: digestOf(sampleSecret),
    prefix: "sk-sam",
    lastFour: "cdef",
    groupId: "default",
    enabled: true,
    createdAtMs: 1,
    origin: "console",
    ...fields,
  };
}

export function sampleGroup(fields: Partial<Group> = {}): Group {
  return { id: "team", models: ["*"], formats: ["*"], priceRatio: 1, origin: "console", ...fields };
}

export function sampleProject(fields: Partial<Project> = {}): Project {
  return { id: "research", administrators: [], createdAtMs: 1, ...fields };
}

export function sampleModel(fields: Partial<Model> = {}): Model {
  return { id: "acme/large:free", createdAtMs: 1, origin: "console", ...fields };
}

export function sampleUpstream(fields: Partial<UpstreamRecord> = {}): UpstreamRecord {
  return {
    id: "acme",
    endpoints: { "chat-completions": "https://a.test/v1" },
    credentials: ["acme-secret"],
    models: [{ id: "*" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    enabled: true,
    origin: "console",
    ...fields,
  };
}

export function sampleRow(number: number, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  return {
    id: `req_${String(number).padStart(8, "0")}`,
    atMs: number,
    accountId: "owner",
    keyId: "key_1",
    keyName: "one",
    groupId: "default",
    model: "m",
    format: "messages",
    operation: "generate",
    stream: false,
    status: 200,
    outcome: "completed",
    durationMs: 1,
    ...fields,
  };
}

/** An entry of the audit log before it has its id. */
export const sampleAudit: AuditDraft = {
  atMs: 1_000,
  actorId: "owner",
  actorName: "mira@example.com",
  kind: "group",
  action: "changed",
  targetId: "a",
  targetName: "a",
  changes: [],
};
