import { assert, assertEquals } from "@std/assert";
import { moveAccount } from "../../../lib/accounts/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { postEntry } from "../../../lib/store/money/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { createIdentity, createPasskey } from "../../../lib/store/users/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import { type Page, testConsole } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey, sampleIdentity } from "../records.ts";
import { addressOf, consoleRoutes } from "../routes.ts";

/** Records of the administrator, and words of theirs that no other account's page may show. */
const keyId = "key_of_the_owner";
const callId = "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F";
const passkeyId = "0".repeat(64);
const projectId = "owners-project";
const secrets = [
  "owners-laptop",
  "owners-own@login.example.com",
  "owners-key",
  "owners-model",
  "203.0.113.99",
  "$73.31",
  "owner@example.com",
];
const samples: Record<string, string> = {
  "/console/token/": keyId,
  "/console/log/": callId,
  "/console/account/passkeys/": passkeyId,
  "/console/account/identities/": sampleIdentity.id,
  "/console/projects/": projectId,
};

/** The fields of every form, so that each route finds those that it reads. */
const forged = {
  id: keyId,
  key: keyId,
  keyId,
  ids: keyId,
  account: "owner",
  accountId: "owner",
  user: "owner",
  name: "taken-over",
  group: "coding",
  enabled: "false",
  action: "delete",
  confirm: "owners-key",
  amount: "5.00",
  next: "/console",
};

const routes = consoleRoutes.filter(({ pattern }) =>
  pattern.startsWith("/console") && !pattern.startsWith("/console/admin")
);
assert(routes.length > 10);

for (const { pattern } of routes) {
  const address = addressOf(pattern, samples);
  const asked = [address, `${address}?${new URLSearchParams({ ...forged, q: "owners" })}`];

  testConsole(
    `${pattern} shows a member nothing of another account`,
    async ({ store, signedIn }) => {
      await addOwners(store);
      const browser = await signedIn(member);
      for (const path of asked) assertTellsNothing(await browser.get(path), path);
    },
  );

  testConsole(`${pattern} changes nothing of another account`, async ({ store, signedIn }) => {
    await addOwners(store);
    const before = await ownersEntries(store);
    const browser = await signedIn(member);
    for (const path of asked) assertTellsNothing(await browser.post(path, forged), path);
    assertEquals(await ownersEntries(store), before);
  });
}

testConsole("what tells of another account is shown to its owner", async ({ store, signedIn }) => {
  await addOwners(store);
  const browser = await signedIn(administrator);
  const paths = [
    "/console/account",
    "/console/token",
    "/console/log",
    `/console/log/${callId}`,
    "/console/topup",
  ];
  const shown = await Promise.all(paths.map((path) => browser.get(path)));
  const html = shown.map((one) => one.html).join("");
  assertEquals(secrets.filter((secret) => !html.includes(secret)), []);
});

function assertTellsNothing({ html, status }: Page, path: string): void {
  assert(status !== 500, `${path} answers ${status}`);
  // A form may repeat its own input; any other secret is a leak.
  for (const secret of secrets.filter((one) => !Object.values(forged).includes(one))) {
    assert(!html.includes(secret), `${path} shows ${secret}`);
  }
}

async function addOwners(store: Store): Promise<void> {
  await addKey(store, { id: keyId, name: "owners-key" });
  await addCall(store, {
    id: callId,
    keyId,
    keyName: "owners-key",
    model: "owners-model",
    ip: "203.0.113.99",
  });
  await createPasskey(store, {
    id: passkeyId,
    credentialId: "AAAA",
    userId: "owner",
    rpId: "localhost",
    publicKey: "AAAA",
    counter: 0,
    transports: [],
    name: "owners-laptop",
    isSynced: false,
    createdAtMs: nowMs,
  });
  await createIdentity(store, sampleIdentity);
  await createProject(store, sampleProject({ id: projectId, administrators: ["owner"] }));
  await moveAccount(store, "owner", projectId);
  await postEntry(store, {
    accountId: "owner",
    idempotencyKey: "owners-grant",
    type: "grant",
    reason: "to begin with",
    actor: "owner",
    changeNanoUsd: 73_310_000_000n,
    atMs: nowMs,
  });
}

/** Everything in the store that names the owner or the owner's key. */
async function ownersEntries({ kv }: Store): Promise<Record<string, string>> {
  const entries: Record<string, string> = {};
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const text = Deno.inspect([key, value], { depth: 20, strAbbreviateSize: 100_000 });
    if (/owner|key_of_the/.test(text) && key[0] !== "change") entries[key.join("/")] = text;
  }
  return entries;
}
