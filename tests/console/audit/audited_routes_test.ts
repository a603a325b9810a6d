import { assert, assertEquals } from "@std/assert";
import {
  beginSecondStep,
  issueAdminToken,
  issueInvitation,
  issuePasswordLink,
  moveAccount,
  setPassword,
  startDevice,
} from "../../../lib/accounts/mod.ts";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createModel, createUpstream, updateSettings } from "../../../lib/store/catalog/mod.ts";
import { redemptionCodesOf } from "../../../lib/store/money/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { createIdentity, createTotp } from "../../../lib/store/users/mod.ts";
import { createEndpoint } from "../../../lib/store/webhooks/mod.ts";
import { newEndpoint } from "../../../lib/webhooks/mod.ts";
import { refusingAudit } from "../../store/failing_store.ts";
import { sampleProject } from "../../store/samples.ts";
import { type TestBrowser, type TestConsole, testConsole, testPasswords } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addKey, sampleIdentity } from "../records.ts";
import { consoleRoutes } from "../routes.ts";
import { sample, withGateway } from "../upstreams/upstream_scene.ts";

/** A form of a route, with the records that it needs. */
interface Deed {
  readonly form: Readonly<Record<string, string>>;
  /** Creates the records; returns the path parameter and the fields that refer to them. */
  readonly prepare?: (console: TestConsole) => Promise<Prepared>;
  readonly isStranger?: true;
}

interface Prepared {
  readonly part?: string;
  readonly query?: string;
  readonly form?: Readonly<Record<string, string>>;
}

const password = "correct horse battery";
const keyForm = { name: "laptop", group: "default", expiry: "never" };
const upstreamForm = {
  id: "vendor",
  "chat-completions": "https://203.0.114.9/v1",
  models: "gpt-5",
  groups: "*",
  priority: "3",
  weight: "1",
};
const projectForm = { id: "vision", models: "gpt-*", budgetDay: "5" };
const groupForm = { id: "batch", models: "*", formats: "messages", ratio: "1.5" };

const aKey = async ({ store }: TestConsole) => ({
  part: (await addKey(store, { id: "key_1" })).id,
});
const anUpstream = async ({ store }: TestConsole) => {
  await createUpstream(store, sample());
  return { part: "vendor" };
};
/** One with a price of its own, where the catalog has another. */
const aPricedModel = async (console: TestConsole) => {
  await anUpstream(console);
  const price = { input: 77, output: 99 };
  await createModel(console.store, {
    id: "gpt-5",
    price,
    createdAtMs: nowMs,
    origin: "console",
  });
  return {};
};
const aMember = () => Promise.resolve({ part: member.id });
const aCode = async ({ store }: TestConsole) => {
  const draft = { name: "x", amountNanoUsd: 1_000_000_000n, count: 1, usesMax: 1 };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
  assert(made.type === "created");
  const [{ digest }] = await Array.fromAsync(redemptionCodesOf(store, made.batch.id));
  return { part: made.batch.id, form: { digest, code: made.codes[0] } };
};
const aToken = async ({ store }: TestConsole) => {
  const draft = { name: "x", scopes: ["keys:read" as const], userId: administrator.id };
  const { token } = await issueAdminToken(store, draft, { nowMs });
  return { part: token.id };
};
const webhookForm = { url: "https://hooks.example.com/tessera", types: "call.failed" };
const aWebhook = async ({ store }: TestConsole) => {
  const settings = { url: "https://hooks.example.com/", types: ["*" as const], description: "" };
  const endpoint = newEndpoint(settings, nowMs);
  assert(await createEndpoint(store, endpoint));
  return { part: endpoint.id };
};
const aGroup = () => Promise.resolve({ part: "coding" });
/** One with `member` as a member. */
const aProject = async ({ store }: TestConsole) => {
  await createProject(store, sampleProject());
  await moveAccount(store, member.id, "research");
  return { part: "research" };
};
const aProjectKey = async (console: TestConsole) => {
  const { id } = await addKey(console.store, { id: "key_1", accountId: member.id });
  return { ...await aProject(console), form: { key: id } };
};
const ownPassword = async ({ store }: TestConsole) => {
  await setPassword({ store, passwords: testPasswords }, administrator.id, { password });
  return {};
};
const secondStepOf = (userId: string) => async ({ store }: TestConsole) => {
  const { sealed: sealedSecret } = await beginSecondStep(store, userId, nowMs);
  const step = { lastStep: 1, recoveryDigests: [], createdAtMs: nowMs };
  await createTotp(store, { userId, sealedSecret, ...step });
  return { part: userId };
};

/** Every form that changes something. */
const deeds: Readonly<Record<string, Deed>> = {
  "/console/account/password": {
    form: { current: password, password: "five quite unrelated words" },
    prepare: ownPassword,
  },
  "/console/account/identities/[id]/delete": {
    form: {},
    prepare: async (console) => {
      await createIdentity(console.store, sampleIdentity);
      await ownPassword(console);
      return { part: sampleIdentity.id };
    },
  },
  "/console/admin/settings/mail": {
    form: { host: "localhost", port: "25", security: "none", from: "gateway@example.com" },
    prepare: () => Promise.resolve({}),
  },
  "/console/account/devices": {
    form: { group: "default" },
    prepare: async ({ store, clock }) => {
      const { userCode } = await startDevice(store, clock.nowMs);
      return { form: { code: userCode } };
    },
  },
  "/console/account/sessions": { form: { others: "" } },
  "/console/account/totp/codes": { form: {}, prepare: secondStepOf(administrator.id) },
  "/console/account/totp/delete": { form: {}, prepare: secondStepOf(administrator.id) },
  "/console/admin/codes/[id]/code": { form: { enabled: "false" }, prepare: aCode },
  "/console/admin/codes/[id]/enabled": { form: { enabled: "false" }, prepare: aCode },
  "/console/admin/codes/new": { form: { name: "x", amount: "5", count: "2", uses: "1" } },
  "/console/admin/groups/[id]": { form: groupForm, prepare: aGroup },
  "/console/admin/groups/[id]/delete": { form: {}, prepare: aGroup },
  "/console/admin/groups/new": { form: groupForm },
  "/console/admin/projects/[id]": { form: projectForm, prepare: aProject },
  "/console/admin/projects/[id]/archived": { form: { archived: "true" }, prepare: aProject },
  "/console/admin/projects/[id]/members": { form: { remove: member.id }, prepare: aProject },
  "/console/admin/projects/new": { form: projectForm },
  "/console/admin/projects/organization": { form: { budgetDay: "5" } },
  "/console/admin/projects/tags": { form: { tag: "team=a", budgetDay: "5" } },
  "/console/pricing/proposals": {
    form: { model: "gpt-5", confirm: "true" },
    prepare: aPricedModel,
  },
  "/console/pricing/virtual": { form: { name: "smart", members: "gpt-5" } },
  "/console/pricing/model": {
    form: { input: "2", output: "8" },
    prepare: async (console) => ({ ...await aPricedModel(console), query: "?name=gpt-5" }),
  },
  "/console/admin/settings": {
    form: {
      siteName: "Acme",
      signUp: "open",
      theme: "dark",
      language: "en",
      timeZone: "browser",
    },
  },
  "/console/admin/tokens/[id]/delete": { form: {}, prepare: aToken },
  "/console/admin/tokens/new": { form: { name: "x", scopes: "keys:read" } },
  "/console/admin/upstreams/[id]": { form: upstreamForm, prepare: anUpstream },
  "/console/admin/upstreams/[id]/credentials": {
    form: { credentials: "sk-another" },
    prepare: anUpstream,
  },
  "/console/admin/upstreams/[id]/delete": { form: { name: "vendor" }, prepare: anUpstream },
  "/console/admin/upstreams/[id]/enabled": { form: { enabled: "false" }, prepare: anUpstream },
  "/console/admin/upstreams/[id]/fallback": { form: { model: "gpt-6" }, prepare: anUpstream },
  "/console/admin/upstreams/[id]/import": {
    form: { use: "0", "own.0": "gpt-6", "as.0": "gpt-6", confirm: "true" },
    prepare: anUpstream,
  },
  "/console/admin/upstreams/[id]/order": {
    form: { priority: "7", weight: "2" },
    prepare: anUpstream,
  },
  "/console/admin/upstreams/new": { form: upstreamForm },
  "/console/admin/upstreams/new/cloud": {
    form: {
      surface: "foundry",
      id: "foundry",
      baseUrl: "https://203.0.114.9",
      apiKey: "sk-foundry",
      intent: "draft",
    },
  },
  "/console/admin/users/[id]": {
    form: { role: "member", spending: "unlimited" },
    prepare: aMember,
  },
  "/console/admin/users/[id]/delete": { form: { email: member.email }, prepare: aMember },
  "/console/admin/users/[id]/enabled": { form: { enabled: "false" }, prepare: aMember },
  "/console/admin/users/[id]/funds": {
    form: { kind: "grant", amount: "5", reason: "x", intent: "1" },
    prepare: aMember,
  },
  "/console/admin/users/[id]/password": { form: {}, prepare: aMember },
  "/console/admin/users/[id]/recording": { form: { hours: "24" }, prepare: aMember },
  "/console/admin/users/[id]/second-step": { form: {}, prepare: secondStepOf(member.id) },
  "/console/admin/users/[id]/sessions": { form: {}, prepare: aMember },
  "/console/admin/users/[id]/view": { form: {}, prepare: aMember },
  "/console/admin/webhooks/[id]": { form: webhookForm, prepare: aWebhook },
  "/console/admin/webhooks/[id]/delete": { form: {}, prepare: aWebhook },
  "/console/admin/webhooks/[id]/enabled": { form: { enabled: "false" }, prepare: aWebhook },
  "/console/admin/webhooks/[id]/rotate": { form: {}, prepare: aWebhook },
  "/console/admin/webhooks/new": { form: webhookForm },
  "/console/admin/users/invitations": {
    form: {},
    prepare: async ({ store }) => {
      const draft = { email: "lea@example.com", role: "member", spending: "prepaid" } as const;
      const issued = await issueInvitation(store, administrator, draft, { nowMs });
      assert(issued.type === "issued");
      return { form: { invitation: issued.invitation.digest } };
    },
  },
  "/console/admin/users/invite": { form: { email: "lea@example.com", credit: "5" } },
  "/console/projects/[id]/keys": { form: { enabled: "false" }, prepare: aProjectKey },
  "/console/projects/[id]/member": {
    form: { budgetDay: "5" },
    prepare: async (console) => ({ ...await aProject(console), query: `?account=${member.id}` }),
  },
  "/console/token/[id]/delete": { form: {}, prepare: aKey },
  "/console/token/[id]/edit": { form: { ...keyForm, name: "other" }, prepare: aKey },
  "/console/token/[id]/enabled": { form: { enabled: "false" }, prepare: aKey },
  "/console/token/[id]/recording": { form: { hours: "1" }, prepare: aKey },
  "/console/token/[id]/rotate": { form: { grace: "now" }, prepare: aKey },
  "/console/token/bulk": { form: { key: "key_1", action: "disable" }, prepare: aKey },
  "/console/token/new": { form: keyForm },
  "/console/topup/redeem": { form: {}, prepare: aCode },
  "/console/welcome": { form: { intent: "built-in" } },
  "/invitation/[token]": {
    form: { password },
    isStranger: true,
    prepare: async ({ store }) => {
      const draft = { email: "lea@example.com", role: "member", spending: "prepaid" } as const;
      const issued = await issueInvitation(store, administrator, draft, { nowMs });
      assert(issued.type === "issued");
      return { part: issued.token };
    },
  },
  "/password/[token]": {
    form: { password },
    isStranger: true,
    prepare: async ({ store }) => {
      const draft = { user: member, createdBy: administrator.id };
      return { part: await issuePasswordLink(store, draft, nowMs) };
    },
  },
  "/signup": {
    form: { email: "lea@example.com", password },
    isStranger: true,
    prepare: async ({ store, directory }) => {
      await updateSettings(store, (settings) => ({ ...settings, signUp: "open" }));
      await directory.refresh();
      return {};
    },
  },
};

/** Forms whose changes need no audit entry, and forms covered by other tests. */
const unaudited: Readonly<Record<string, string>> = {
  "/login": "who signs in changes a session alone",
  "/login/code": "as /login",
  "/login/passkey": "as /login",
  "/logout": "as /login",
  "/preferences": "how pages look to their reader",
  "/console/confirm": "a proof, for a short while",
  "/console/confirm/sso": "goes to a provider: sso_test.ts",
  "/console/account/identities": "goes to a provider: sso_test.ts",
  "/console/connect/check": "asks, and changes nothing",
  "/console/log/views": "what its reader looks at",
  "/console/playground": "a call, which the log has",
  "/console/playground/call": "a call, which the log has",
  "/console/token/columns": "what its reader looks at",
  "/console/viewing": "its beginning is written down",
  "/console/account/mail": "which mails its reader gets",
  "/console/admin/settings/test": "asks, and changes nothing",
  "/console/admin/webhooks/[id]/deliveries/[event]": "repeats a delivery, which its record has",
  "/console/admin/webhooks/[id]/test": "asks, and changes nothing",
  "/console/admin/upstreams/[id]/models": "asks, and changes nothing",
  "/console/admin/upstreams/[id]/test": "asks, and changes nothing",
  "/console/account/passkeys": "needs an authenticator: account_test.ts",
  "/console/account/passkeys/[id]": "needs an authenticator: account_test.ts",
  "/console/account/passkeys/[id]/delete": "needs an authenticator: account_test.ts",
  "/console/account/totp": "needs a code of the moment: account_test.ts",
  "/console/topup/pay": "needs a payment service: topup_test.ts",
  "/setup/[token]": "needs a console that nobody has set up: entry_test.ts",
};

Deno.test("every form of the console is known to write an audit entry, or why it does not", () => {
  const posted = consoleRoutes.filter(({ pattern }) => posts(pattern)).map(({ pattern }) =>
    pattern
  );
  const known = [...Object.keys(deeds), ...Object.keys(unaudited)];
  assertEquals(posted.toSorted(), known.toSorted());
});

for (const [pattern, deed] of Object.entries(deeds)) {
  testConsole(`POST ${pattern} is written to the audit log`, async (console) => {
    const { post } = await prepared(console, pattern, deed);
    const { status } = await post();
    assert(status < 400, `it answers ${status}`);
    const { entries: [entry] } = await listAuditEntries(console.store, { limit: 1 });
    assert(entry, "there is no entry");
    assertEquals(entry.ip, "203.0.113.7");
  });

  testConsole(`POST ${pattern} does nothing where its entry cannot be written`, async (console) => {
    const { post } = await prepared(console, pattern, deed);
    const services = adminServices();
    assert(services);
    const before = await contentOf(console);
    provideAdmin({ ...services, store: refusingAudit(console.store) });
    assertEquals((await post()).status, 500);
    assertEquals(await contentOf(console), before);
  });
}

async function prepared(console: TestConsole, pattern: string, deed: Deed) {
  withGateway(console);
  const { part = "", query = "", form = {} } = await deed.prepare?.(console) ?? {};
  await console.directory.refresh();
  const browser: TestBrowser = deed.isStranger
    ? console.browser()
    : await console.signedIn(administrator);
  const path = pattern.replace(/\[\w+\]/, part) + query;
  return { post: () => browser.post(path, { ...deed.form, ...form }) };
}

/**
 * The audited content of the store: all but counters of attempts, sessions, codes of an unfinished
 * batch, and links that any attempt uses up.
 */
async function contentOf({ store }: TestConsole): Promise<string[]> {
  const passing = [
    "change",
    "sign_in_attempts",
    "session",
    "session_by_user",
    "user_seen",
    "one_time_use",
  ];
  const unfinished = [
    "redemption_batch",
    "redemption_code",
    "redemption_code_by_batch",
    "password_link",
  ];
  const content: string[] = [];
  for await (const { key, versionstamp } of store.kv.list({ prefix: [] })) {
    const [entity] = key;
    if ([...passing, ...unfinished].includes(String(entity))) continue;
    content.push(`${key.join(" ")} ${versionstamp}`);
  }
  return content;
}

function posts(pattern: string): boolean {
  const folder = new URL("../../../routes", import.meta.url).pathname;
  return [".ts", ".tsx", "/index.ts", "/index.tsx"].some((end) => {
    try {
      return /\b(POST|defineForm|definePasswordLink)\b/.test(
        Deno.readTextFileSync(folder + pattern + end),
      );
    } catch {
      return false;
    }
  });
}
