import { assert } from "@std/assert";
import { issueAdminToken, issueInvitation, moveAccount } from "../../../lib/accounts/mod.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { createAuditEntry, listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createModel, createUpstream } from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { createUser, type Role, type User } from "../../../lib/store/users/mod.ts";
import { createEndpoint } from "../../../lib/store/webhooks/mod.ts";
import { newEndpoint } from "../../../lib/webhooks/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import type { TestConsole } from "../console.ts";
import { administrator, member, nowMs, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { sample, withGateway } from "../upstreams/upstream_scene.ts";

export const billing = user({ id: "usr_billing", email: "pay@example.com", role: "billing" });
export const viewer = user({ id: "usr_viewer", email: "see@example.com", role: "viewer" });

/** One user of each role. */
export const people: Readonly<Record<Role, User>> = { administrator, billing, viewer, member };

/** The part of a webhook's address that lets anybody post to it. */
export const webhookSecret = "T00-B00-part-that-opens";

/** Adds the people, and one record of each kind; returns the parts of addresses. */
export async function addRoleScene(console: TestConsole): Promise<Record<string, string>> {
  const { store } = console;
  for (const one of [billing, viewer]) await createUser(store, one);
  await createProject(store, sampleProject());
  await moveAccount(store, member.id, "research");
  await createUpstream(store, sample());
  const price = { input: 77, output: 99 };
  await createModel(store, { id: "gpt-5", price, createdAtMs: nowMs, origin: "console" });
  withGateway(console);
  const key = await addKey(store, { id: "key_1", accountId: member.id, name: "theirs" });
  const own = { keyId: key.id, keyName: key.name, accountId: member.id };
  await addCall(store, { id: "req_1", ...own, model: "gpt-5", upstreamId: "vendor" });
  const failed = {
    status: 429,
    outcome: "upstream_error",
    errorCode: "rate_limit_exceeded",
  } as const;
  await addCall(store, { id: "req_2", ...own, model: "gpt-5", upstreamId: "vendor", ...failed });
  const samples = { ...await addEntries(store), ...await addSecrets(store) };
  await console.directory.refresh();
  return {
    ...samples,
    "/console/token/": key.id,
    "/console/log/": "req_2",
    "/console/projects/": "research",
    "/console/account/passkeys/": "0".repeat(64),
    "/console/account/identities/": "1".repeat(64),
    "/console/admin/users/": member.id,
    "/console/admin/groups/": "coding",
    "/console/admin/projects/": "research",
    "/console/admin/upstreams/": "vendor",
    "/console/admin/webhooks/[id]/deliveries/": "evt_none",
  };
}

async function addEntries(store: Store) {
  const draft = { email: "lea@example.com", role: "billing", spending: "prepaid" } as const;
  await issueInvitation(store, administrator, draft, { nowMs });
  const by = { actorId: administrator.id, actorName: administrator.email, ip: "203.0.113.7" };
  const about = { kind: "user", action: "viewed", targetId: member.id, targetName: "m" } as const;
  await createAuditEntry(store, { ...by, ...about, atMs: nowMs, changes: [] });
  const { entries: [{ id }] } = await listAuditEntries(store, { limit: 1 });
  return { "/console/admin/audit/": id };
}

async function addSecrets(store: Store) {
  const draft = { name: "Spring", amountNanoUsd: 1_000_000_000n, count: 1, usesMax: 1 };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
  assert(made.type === "created");
  const url = `https://hooks.example.com/services/${webhookSecret}`;
  const endpoint = newEndpoint({ url, types: ["*"], description: "Ops" }, nowMs);
  await createEndpoint(store, endpoint);
  const token = { name: "Terraform", userId: administrator.id, scopes: ["*"] };
  return {
    "/console/admin/codes/": made.batch.id,
    "/console/admin/webhooks/": endpoint.id,
    "/console/admin/tokens/": (await issueAdminToken(store, token, { nowMs })).token.id,
  };
}
