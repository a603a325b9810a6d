import { assert } from "@std/assert";
import {
  issueAdminToken,
  issueInvitation,
  issuePasswordLink,
  moveAccount,
} from "../../../lib/accounts/mod.ts";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { loadConfig } from "../../../lib/config.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { Health } from "../../../lib/routing/mod.ts";
import { createAuditEntry, listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createGroup, createUpstream, updateSettings } from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import {
  createIdentity,
  createPasskey,
  createTotp,
  createUser,
} from "../../../lib/store/users/mod.ts";
import {
  addressEvent,
  createEndpoint,
  listOutbox,
  postEvent,
} from "../../../lib/store/webhooks/mod.ts";
import { createSend } from "../../../lib/upstreams/mod.ts";
import { newEndpoint } from "../../../lib/webhooks/mod.ts";
import { type TestConsole } from "../../console/console.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { addCall, addContent, addKey, sampleIdentity } from "../../console/records.ts";
import { addTeam } from "../../console/team/mod.ts";
import type { ServedConsole } from "./served_console.ts";

const callId = "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F";
const upstreamId = "vendor";
const groupId = "team";

/**
 * Creates one record of each kind, in an installation of real size. Returns the path parameters, by
 * the path before them.
 */
export async function stock({ console }: ServedConsole): Promise<Record<string, string>> {
  const { store, directory, clock } = console;
  await createUser(store, member);
  await updateSettings(store, (settings) => ({ ...settings, signUp: "open", publicPricing: true }));
  await addRouting(store);
  const key = await addKey(store, { name: "ci-nightly" });
  await addCall(store, { id: callId, keyId: key.id, keyName: key.name });
  await addContent(store, { id: callId, accountId: key.accountId, keyId: key.id });
  const samples = {
    ...await addSecondSteps(store),
    ...await addLinks(store),
    "/console/admin/audit/": await addEntry(store),
    "/console/admin/codes/": await addCodes(store),
    "/console/admin/groups/": groupId,
    ...await addProject(store),
    "/console/admin/tokens/": await addToken(store),
    "/console/admin/upstreams/": upstreamId,
    "/console/admin/users/": member.id,
    ...await addWebhook(store),
    "/console/log/": callId,
    "/console/token/": key.id,
    "/docs/": "start/first-call",
  };
  await addTeam(store);
  await directory.refresh();
  provideUpstreams(clock);
  return samples;
}

/** With `member` as a member, because one of its pages needs `?account=`. */
async function addProject(store: Store) {
  const administrators = [administrator.id];
  await createProject(store, { id: "research", administrators, createdAtMs: nowMs });
  await moveAccount(store, member.id, "research");
  return { "/console/admin/projects/": "research", "/console/projects/": "research" };
}

async function addRouting(store: Store): Promise<void> {
  const group = { models: ["*"], formats: ["*"], priceRatio: 1.2, origin: "console" } as const;
  await createGroup(store, { ...group, id: groupId });
  await createUpstream(store, {
    id: upstreamId,
    endpoints: { messages: "https://203.0.114.9" },
    credentials: ["one", "two"],
    models: [{ id: "house-model" }, { id: "gpt-5" }],
    priority: 0,
    weight: 1,
    groups: ["*"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  });
}

async function addSecondSteps(store: Store) {
  const passkey = {
    id: "0".repeat(64),
    credentialId: "AAAA",
    userId: administrator.id,
    rpId: "localhost",
    publicKey: "AAAA",
    counter: 0,
    transports: [],
    name: "Laptop",
    isSynced: false,
    createdAtMs: nowMs,
  };
  await createPasskey(store, passkey);
  await createTotp(store, {
    userId: administrator.id,
    sealedSecret: "sealed",
    lastStep: 0,
    recoveryDigests: ["one", "two"],
    createdAtMs: nowMs,
  });
  await createIdentity(store, sampleIdentity);
  return {
    "/console/account/passkeys/": passkey.id,
    "/console/account/identities/": sampleIdentity.id,
    "/login/sso/": "acme",
  };
}

async function addLinks(store: Store) {
  const draft = { email: "lea@example.com", role: "member", spending: "prepaid" } as const;
  const invited = await issueInvitation(store, administrator, draft, { nowMs });
  assert(invited.type === "issued");
  return {
    "/invitation/": invited.token,
    "/password/": await issuePasswordLink(
      store,
      { user: member, createdBy: administrator.id },
      nowMs,
    ),
    "/setup/": "used-up",
  };
}

async function addToken(store: Store): Promise<string> {
  const draft = { name: "Terraform", userId: administrator.id, scopes: ["keys:write", "*:read"] };
  return (await issueAdminToken(store, draft, { nowMs })).token.id;
}

async function addCodes(store: Store): Promise<string> {
  const draft = { name: "Spring workshop", amountNanoUsd: 20_000_000_000n, count: 3, usesMax: 1 };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 10 });
  assert(made.type === "created");
  return made.batch.id;
}

async function addWebhook(store: Store) {
  const settings = { url: "https://hooks.example.com/", types: ["*" as const], description: "Ops" };
  const endpoint = newEndpoint(settings, nowMs);
  await createEndpoint(store, endpoint);
  const id = "evt_01KAJ9V3M8WZ5X7Q2C4N6B8D0F";
  const data = { message: "The upstream vendor is down", upstreamId };
  const body = JSON.stringify({ type: "upstream.down", timestamp: new Date(nowMs), data });
  const event = { id, type: "upstream.down", atMs: nowMs, body };
  await postEvent(store, event);
  for (const taken of await listOutbox(store)) {
    await addressEvent(store, taken, { event, endpointIds: [endpoint.id], nowMs });
  }
  return {
    "/console/admin/webhooks/": endpoint.id,
    "/console/admin/webhooks/[id]/deliveries/": id,
  };
}

async function addEntry(store: Store): Promise<string> {
  await createAuditEntry(store, {
    atMs: nowMs,
    actorId: administrator.id,
    actorName: administrator.email,
    kind: "user",
    action: "changed",
    targetId: member.id,
    targetName: member.email,
    changes: [{ field: "role", before: "administrator", after: "member" }],
    ip: "203.0.113.7",
  });
  const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
  return entry.id;
}

function provideUpstreams(clock: TestConsole["clock"]): void {
  const services = adminServices();
  assert(services);
  const addresses = { allowsPrivate: false, allowsLoopback: true };
  const health = new Health(loadConfig({}).limits, () => clock.nowMs);
  const send = createSend({ dialFirst: true, addresses });
  provideAdmin({ ...services, upstreams: { health, send, addresses } });
}
