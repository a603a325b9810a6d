import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { setPassword } from "../../../lib/accounts/mod.ts";
import { type SettingsValues, settingsValues } from "../../../lib/admin/settings.ts";
import { isDangerous } from "../../../lib/console/sign_in/step_up.ts";
import { getApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { defaultSettings, listUpstreams, readSettings } from "../../../lib/store/catalog/mod.ts";
import { balanceOf } from "../../../lib/store/money/mod.ts";
import { getUser } from "../../../lib/store/users/mod.ts";
import { newAuthenticator } from "../../accounts/authenticator.ts";
import {
  assertRedirect,
  type Page,
  type TestBrowser,
  type TestConsole,
  testConsole,
  testPasswords,
  textOf,
} from "../console.ts";
import { administrator, member } from "../people.ts";
import { addKey } from "../records.ts";

const password = "correct horse battery";
const proofMs = 5 * 60_000;

/** An administrator who signed in too long ago for anything dangerous. */
async function staleOwner(console: TestConsole): Promise<TestBrowser> {
  const accounts = { store: console.store, passwords: testPasswords };
  await setPassword(accounts, administrator.id, { password });
  const browser = await console.signedIn(administrator);
  console.clock.nowMs += proofMs;
  return browser;
}

function fieldsOf({ headers }: Page): Record<string, string> {
  const url = new URL(headers.get("location") ?? "", "http://localhost");
  return Object.fromEntries(url.searchParams);
}

const dangerous = [
  ["GET", "/console/token/key_x/rotate"],
  ["POST", "/console/token/key_x/rotate"],
  ["GET", "/console/token/key_x/delete"],
  ["POST", "/console/token/key_x/delete"],
  ["GET", "/console/account/totp"],
  ["POST", "/console/account/totp"],
  ["GET", "/console/account/totp/codes"],
  ["POST", "/console/account/totp/delete"],
  ["POST", "/console/account/identities"],
  ["POST", "/console/account/identities/abc/delete"],
  ["POST", "/console/account/passkeys"],
  ["POST", "/console/account/passkeys/abc/delete"],
  ["POST", "/console/admin/upstreams/new"],
  ["POST", "/console/admin/upstreams/new/cloud"],
  ["POST", "/console/admin/upstreams/acme"],
  ["POST", "/console/admin/upstreams/acme/credentials"],
  ["POST", "/console/admin/upstreams/acme/delete"],
  ["POST", "/console/admin/users/usr_member"],
  ["POST", "/console/admin/users/invite"],
  ["POST", "/console/admin/users/usr_member/enabled"],
  ["POST", "/console/admin/users/usr_member/funds"],
  ["GET", "/console/admin/users/usr_member/password"],
  ["POST", "/console/admin/users/usr_member/password"],
  ["POST", "/console/admin/users/usr_member/second-step"],
  ["POST", "/console/admin/codes/new"],
  ["POST", "/console/admin/settings"],
  ["POST", "/console/welcome"],
] as const;

testConsole("step-up: what is dangerous wants a fresh proof", async (console) => {
  await addKey(console.store, { id: "key_x" });
  const browser = await staleOwner(console);
  for (const [method, path] of dangerous) {
    const form: Record<string, string> = path.endsWith("/settings") ? { signUp: "open" } : {};
    const answer = await (method === "GET" ? browser.get(path) : browser.post(path, form));
    assertEquals(answer.status, 303, `${method} ${path}`);
    assert(answer.headers.get("location")?.startsWith("/console/confirm?next="), path);
    assertEquals(fieldsOf(answer).next, path);
    assertEquals("held" in fieldsOf(answer), method === "POST", path);
  }
  assertEquals((await getApiKey(console.store, "key_x"))?.previous, undefined);
  assertEquals((await getUser(console.store, member.id))?.enabled, true);
});

Deno.test("step-up: what only shows or can be undone wants none", () => {
  for (
    const [method, path] of [
      ["GET", "/console/account"],
      ["GET", "/console/admin/users/usr_member"],
      ["GET", "/console/admin/upstreams/new"],
      ["POST", "/console/token/new"],
      ["POST", "/console/token/key_x/enabled"],
      ["POST", "/console/account/sessions"],
      ["POST", "/console/account/password"],
      ["POST", "/console/confirm"],
      ["GET", "/console/deleted"],
    ] as const
  ) assertEquals(isDangerous(method, path), false, `${method} ${path}`);
});

testConsole(
  "step-up: the settings want a proof where they change who may sign up",
  async (console) => {
    const browser = await staleOwner(console);
    const post = (changed: Partial<SettingsValues>) =>
      browser.post("/console/admin/settings", {
        ...settingsValues(defaultSettings),
        ...changed,
      });
    assertRedirect(await post({ siteName: "Gate" }), "/console/admin/settings?done=saved");
    for (const changed of [{ signUp: "open" }, { signUpDomains: "example.com" }]) {
      const location = (await post(changed)).headers.get("location");
      assert(location?.startsWith("/console/confirm?next="), `${location}`);
    }
    assertEquals((await readSettings(console.store)).signUp, defaultSettings.signUp);
  },
);

testConsole("step-up: the first steps want a proof for a provider's key alone", async (console) => {
  const browser = await staleOwner(console);
  const builtIn = await browser.post("/console/welcome", { intent: "built-in" });
  assertRedirect(builtIn, "/console/welcome?provider=built-in");
  const another = await browser.post("/console/welcome", { intent: "key" });
  assertRedirect(another, "/console/welcome");
  const form = { preset: "groq", key: "gsk-0123456789" };
  const answer = await browser.post("/console/welcome", form);
  assert(answer.headers.get("location")?.startsWith("/console/confirm?next="));
});

testConsole("step-up: a sign-in counts as a proof for five minutes", async (console) => {
  await addKey(console.store, { id: "key_x", name: "ci" });
  const browser = await console.signedIn(administrator);
  console.clock.nowMs += proofMs - 1;
  assertEquals((await browser.get("/console/token/key_x/rotate")).status, 200);
  console.clock.nowMs += 1;
  assertEquals((await browser.get("/console/token/key_x/rotate")).status, 303);
});

testConsole("step-up: after the password one goes on, for five minutes", async (console) => {
  await addKey(console.store, { id: "key_x", name: "ci" });
  const browser = await staleOwner(console);
  const next = "/console/token/key_x/rotate?from=list";
  const asked = await browser.get(next);
  const page = await browser.get(asked.headers.get("location") ?? "");
  assertStringIncludes(textOf(page.html), "Confirm it's you");
  assertStringIncludes(page.html, 'autocomplete="current-password"');
  assert(!page.html.includes("one-time-code") && !page.html.includes('name="code"'));
  const wrong = await browser.post("/console/confirm", { next, password: "wrong horse" });
  assertEquals(wrong.status, 401);
  assertStringIncludes(textOf(wrong.html), "Wrong password or code.");
  assertRedirect(await browser.post("/console/confirm", { next, password }), next);
  assertEquals((await browser.get(next)).status, 200);
  console.clock.nowMs += proofMs;
  assertEquals((await browser.get(next)).status, 303);
});

testConsole("step-up: a form that was sent goes on as it was, once", async (console) => {
  const { store } = console;
  const browser = await staleOwner(console);
  const path = `/console/admin/users/${member.id}/funds`;
  const form = { kind: "grant", amount: "12.50", reason: "workshop & co", intent: "one" };
  const asked = await browser.post(path, form);
  const page = await browser.get(asked.headers.get("location") ?? "");
  assertStringIncludes(textOf(page.html), "Your form will be submitted");
  assert(!page.html.includes("workshop"), "what was entered is in the page");
  const fields = { ...fieldsOf(asked), password };
  const onwards = await browser.post("/console/confirm", fields);
  assertEquals([onwards.status, onwards.headers.get("location")], [307, path]);
  assertEquals(await balanceOf(store, member.id), 0n);
  assertRedirect(await browser.post(path, fields), `/console/admin/users/${member.id}?done=funds`);
  assertEquals(await balanceOf(store, member.id), 12_500_000_000n);
  assertRedirect(await browser.post(path, fields), path);
  assertEquals(await balanceOf(store, member.id), 12_500_000_000n, "a held form works once");
});

testConsole("step-up: a held form is its session's and its page's own", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_x", name: "one" });
  await addKey(store, { id: "key_y", name: "two" });
  const browser = await staleOwner(console);
  const { held } = fieldsOf(await browser.post("/console/token/key_x/delete", {}));
  const other = await console.signedIn(administrator);
  assertRedirect(
    await other.post("/console/token/key_x/delete", { held }),
    "/console/token/key_x/delete",
  );
  assertRedirect(
    await other.post("/console/token/key_y/delete", { held }),
    "/console/token/key_y/delete",
  );
  assertEquals((await listApiKeys(store)).length, 2);
  const again = fieldsOf(await browser.post("/console/token/key_x/delete", {}));
  await browser.post("/console/confirm", { ...again, password });
  assertRedirect(
    await browser.post("/console/token/key_y/delete", again),
    "/console/token/key_y/delete",
  );
  assertEquals((await listApiKeys(store)).length, 2, "what was held for one page is no other's");
});

testConsole("step-up: an upstream's credential is held sealed and goes on", async (console) => {
  const { store } = console;
  const browser = await staleOwner(console);
  const form = { preset: "openai", id: "acme", credentials: "sk-very-secret-value", groups: "*" };
  const asked = await browser.post("/console/admin/upstreams/new", form);
  assert(!(asked.headers.get("location") ?? "").includes("secret"));
  for await (const { value } of store.kv.list({ prefix: [] })) {
    assert(
      !JSON.stringify(value, (_, one) => typeof one === "bigint" ? String(one) : one)
        .includes("very-secret"),
    );
  }
  assertEquals(await listUpstreams(store), []);
});

testConsole("step-up: a passkey is a proof, and another account's is none", async (console) => {
  const browser = await console.signedIn(administrator);
  const key = await newAuthenticator();
  const challengeIn = ({ html }: Page) => ({
    challenge: /"(djEu[\w-]+)/.exec(html)?.[1] ?? "",
    rp: { id: "localhost" },
    rpId: "localhost",
  });
  const origin = "http://localhost";
  const made = await key.create(challengeIn(await browser.get("/console/account")), origin);
  await browser.post("/console/account/passkeys", { answer: made });
  const theirs = await console.signedIn(member);
  console.clock.nowMs += proofMs;
  const next = "/console/account/totp";
  const page = `/console/confirm?next=${next}`;
  assert(!(await theirs.get(page)).html.includes("djEu"), "who has none is not asked for one");
  const signIn = await key.get(challengeIn(await console.browser().get("/login")), origin);
  const other = await browser.post("/console/confirm", { next, answer: signIn });
  assertEquals(other.status, 401, "a sign-in's challenge is no confirmation's");
  const answer = await key.get(challengeIn(await browser.get(page)), origin);
  assertEquals((await theirs.post("/console/confirm", { next, answer })).status, 401);
  assertRedirect(await browser.post("/console/confirm", { next, answer }), next);
  assertEquals((await browser.get(next)).status, 200);
});

testConsole(
  "step-up: of several keys, deleting wants a proof and disabling none",
  async (console) => {
    await addKey(console.store, { id: "key_x", name: "ci" });
    const browser = await staleOwner(console);
    const keys = { key: "key_x" };
    assertRedirect(
      await browser.post("/console/token/bulk", { ...keys, action: "disable" }),
      "/console/token",
    );
    assertEquals((await getApiKey(console.store, "key_x"))?.enabled, false);
    const sure = { ...keys, action: "delete", sure: "yes" };
    const asked = await browser.post("/console/token/bulk", sure);
    assertEquals(fieldsOf(asked).next, "/console/token/bulk");
    const fields = { ...fieldsOf(asked), password };
    assertEquals((await browser.post("/console/confirm", fields)).status, 307);
    assertRedirect(await browser.post("/console/token/bulk", fields), "/console/token");
    assertEquals(await listApiKeys(console.store), []);
  },
);

testConsole("step-up: the confirmation never leads elsewhere", async (console) => {
  const browser = await staleOwner(console);
  const answer = await browser.post("/console/confirm", { next: "//evil.example", password });
  assertRedirect(answer, "/console");
});

testConsole("step-up: who asks for data is told, and nothing is held", async (console) => {
  const browser = await staleOwner(console);
  const headers = { accept: "application/json", "sec-fetch-site": "same-origin" };
  const answer = await browser.post("/console/token/key_x/delete", {}, headers);
  assertEquals(answer.status, 403);
  assertEquals(JSON.parse(answer.html), { status: 403, next: "/console/token/key_x/delete" });
});
