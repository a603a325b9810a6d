import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { authorize } from "../../../lib/accounts/authorize.ts";
import {
  firstTokens,
  isProved,
  issueInvitation,
  issuePasswordLink,
  refreshTokens,
  removeUser,
  setPassword,
  SingleSignOn,
  startDevice,
} from "../../../lib/accounts/mod.ts";
import { provideAdmin } from "../../../lib/admin/services.ts";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { updateSettings } from "../../../lib/store/catalog/mod.ts";
import {
  getUserByEmail,
  listIdentities,
  listSessions,
  updateUser,
  type User,
} from "../../../lib/store/users/mod.ts";
import { FakeProvider, providersOf, settingsOf } from "../../accounts/sso/fake_provider.ts";
import {
  assertRedirect,
  type Page,
  servicesUnderTest,
  type TestBrowser,
  type TestConsole,
  testConsole,
  testPasswords,
  textOf,
} from "../console.ts";
import { administrator, member } from "../people.ts";

interface Scene {
  readonly console: TestConsole;
  readonly provider: FakeProvider;
}

const password = "correct horse battery";

function testSso(
  name: string,
  run: (scene: Scene) => Promise<void>,
  { local = "everyone", ...fields }: Record<string, unknown> & {
    readonly local?: "everyone" | "owner";
  } = {},
): void {
  testConsole(`sso: ${name}`, async (console) => {
    await using provider = await FakeProvider.start();
    const sso = new SingleSignOn(providersOf(settingsOf(provider, fields)));
    provideAdmin({ ...servicesUnderTest(), sso, localSignIn: local });
    await run({ console, provider });
  });
}

/** Goes through the provider, from the answer that sends the browser there. */
async function through(browser: TestBrowser, answer: Page): Promise<Page> {
  return await browser.get(await callbackOf(answer));
}

/** The address with which the provider sends the browser back. */
async function callbackOf({ headers }: Page): Promise<string> {
  const url = headers.get("location") ?? headers.get("refresh")?.replace("0; url=", "") ?? "";
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  const back = new URL(response.headers.get("location") ?? "");
  assertEquals(back.origin, "http://localhost");
  return back.pathname + back.search;
}

async function lastAudit({ store }: TestConsole) {
  const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
  return entry && { action: entry.action, ip: entry.ip, reason: entry.reason };
}

testSso("a new user signs in and comes where they wanted to go", async ({ console }) => {
  const browser = console.browser();
  const login = await browser.get("/login?next=/console/log");
  assertStringIncludes(login.html, "Continue with Acme");
  assertStringIncludes(login.html, 'href="/login/sso/acme?next=%2Fconsole%2Flog"');
  const arrived = await through(browser, await browser.get("/login/sso/acme?next=/console/log"));
  assertRedirect(arrived, "/console/log");
  assert(!browser.cookies.has("__Host-tessera-sso"));
  assertEquals((await browser.get("/console/log")).status, 200);
  const user = await getUserByEmail(console.store, "mira@example.com");
  assertEquals(user?.role, "member");
  assertEquals(await lastAudit(console), {
    action: "joined",
    ip: "203.0.113.7",
    reason: undefined,
  });
  const account = await browser.get("/console/account");
  assertStringIncludes(textOf(account.html), "Acme · mira@example.com");
  assert(!account.html.includes("/console/account/password"));
});

testSso("the answer works only in the browser that asked, and only once", async ({ console }) => {
  const [browser, other] = [console.browser(), console.browser()];
  const callback = await callbackOf(await browser.get("/login/sso/acme"));
  const expired = "/login?sso=expired&provider=acme&next=%2Fconsole";
  assertRedirect(await other.get(callback), expired);
  const cookies = [...browser.cookies];
  assertRedirect(await browser.get(callback), "/console");
  const again = console.browser();
  for (const [name, value] of cookies) again.cookies.set(name, value);
  assertRedirect(await again.get(callback), expired);
  assert(!again.cookies.has("__Host-tessera"));
  const shown = await again.get(expired);
  assertEquals(shown.status, 200);
  assertStringIncludes(textOf(shown.html), "Sign-in at Acme took too long, or was already used.");
});

testSso("a sign-in begun by an attacker does not sign the victim in", async ({ console }) => {
  const [attacker, victim] = [console.browser(), console.browser()];
  const callback = await callbackOf(await attacker.get("/login/sso/acme"));
  await victim.get("/login/sso/acme");
  assertRedirect(await victim.get(callback), "/login?sso=invalid&provider=acme&next=%2Fconsole");
  assert(!victim.cookies.has("__Host-tessera"));
});

testSso("a session gets a new token at the sign-in", async ({ console }) => {
  const browser = console.browser();
  browser.cookies.set("__Host-tessera", "chosen-by-an-attacker");
  await through(browser, await browser.get("/login/sso/acme"));
  assert(browser.cookies.get("__Host-tessera") !== "chosen-by-an-attacker");
});

for (const next of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
  testSso(`the way does not lead to ${next}`, async ({ console }) => {
    const browser = console.browser();
    const begun = await browser.get(`/login/sso/acme?${new URLSearchParams({ next })}`);
    assertRedirect(await through(browser, begun), "/console");
  });
}

testSso("a path too long for the cookie is forgotten", async ({ console }) => {
  const browser = console.browser();
  const next = `/console/log?q=${"x".repeat(1_500)}`;
  const begun = await browser.get(`/login/sso/acme?${new URLSearchParams({ next })}`);
  assertRedirect(await through(browser, begun), "/console");
});

testSso("unknown providers have no pages", async ({ console }) => {
  const browser = console.browser();
  assertEquals((await browser.get("/login/sso/other")).status, 404);
  assertEquals((await browser.get("/login/sso/other/callback?code=x")).status, 404);
  const shown = await browser.get("/login?sso=invalid&provider=other");
  assert(!shown.html.includes('role="alert"'));
  const named = await browser.get("/login?sso=constructor&provider=acme");
  assertEquals(named.status, 200);
  assert(!named.html.includes('role="alert"'));
});

testSso("a provider that is down leaves a readable page", async ({ console, provider }) => {
  provider.faults = { respond: () => new Response(null, { status: 500 }) };
  const browser = console.browser();
  const answer = await browser.get("/login/sso/acme?next=/console/log");
  const shown = "/login?sso=unavailable&provider=acme&next=%2Fconsole%2Flog";
  assertRedirect(answer, shown);
  assertStringIncludes(textOf((await browser.get(shown)).html), "Acme is not available.");
});

testSso("a refusal says why, and the audit log too", async ({ console }) => {
  const browser = console.browser();
  const answer = await through(browser, await browser.get("/login/sso/acme"));
  assertRedirect(answer, "/login?sso=domain&provider=acme&next=%2Fconsole");
  const { headers } = answer;
  const shown = await browser.get(headers.get("location") ?? "");
  assertStringIncludes(textOf(shown.html), "Your e-mail domain at Acme is not allowed here.");
  assertEquals(await lastAudit(console), {
    action: "refused",
    ip: "203.0.113.7",
    reason: "E-mail domain not allowed",
  });
  const admin = await console.signedIn(administrator);
  const log = await admin.get("/console/admin/audit");
  assertStringIncludes(
    textOf(log.html),
    "Sign-in refused User mira@example.com Single sign-on: Acme: mira@example.com",
  );
}, { domains: ["acme.example"] });

testSso("an existing account is linked by its own user only", async ({ console, provider }) => {
  const { store } = console;
  await setPassword({ store, passwords: testPasswords }, member.id, { password });
  provider.user = { sub: "9", email: member.email, email_verified: true };
  const stranger = console.browser();
  const refused = await through(stranger, await stranger.get("/login/sso/acme"));
  assertRedirect(refused, "/login?sso=exists&provider=acme&next=%2Fconsole");
  console.clock.nowMs += 1_000;
  const browser = await console.signedIn(member);
  const account = await browser.get("/console/account");
  assertStringIncludes(account.html, "Link Acme");
  const leaving = await browser.post("/console/account/identities", { provider: "acme" });
  assertEquals(leaving.status, 200);
  assertStringIncludes(textOf(leaving.html), "Continue to Acme");
  assertRedirect(await through(browser, leaving), "/console/account?done=identity-linked");
  assertEquals((await listIdentities(console.store, member.id)).length, 1);
  assertEquals((await lastAudit(console))?.action, "changed");
  const entered = await through(stranger, await stranger.get("/login/sso/acme"));
  assertRedirect(entered, "/console");
  assertEquals((await listSessions(console.store, member.id)).length, 2);
});

testSso("a link needs a recent proof, and no other site's form", async ({ console }) => {
  const browser = await console.signedIn(member);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const path = "/console/account/identities";
  assertEquals((await browser.post(path, { provider: "acme" }, foreign)).status, 403);
  console.clock.nowMs += 6 * 60_000;
  const { status, headers } = await browser.post(path, { provider: "acme" });
  assertEquals(status, 303);
  assert(headers.get("location")?.startsWith("/console/confirm?next="));
});

testSso("a link ends with the session that began it", async ({ console }) => {
  const browser = await console.signedIn(member);
  const leaving = await browser.post("/console/account/identities", { provider: "acme" });
  const callback = await callbackOf(leaving);
  const other = await console.signedIn(administrator);
  const flow = browser.cookies.get("__Host-tessera-sso") ?? "";
  other.cookies.set("__Host-tessera-sso", flow);
  assertRedirect(await other.get(callback), "/console/account?sso=expired&provider=acme");
  assertEquals(await listIdentities(console.store, administrator.id), []);
  assertEquals(await listIdentities(console.store, member.id), []);
});

testSso("an administrator who views another console links nothing to it", async ({ console }) => {
  const browser = await console.signedIn(administrator);
  const leaving = await browser.post("/console/account/identities", { provider: "acme" });
  const callback = await callbackOf(leaving);
  await browser.post(`/console/admin/users/${member.id}/view`, {});
  assertRedirect(await browser.get(callback), "/console/account?sso=expired&provider=acme");
  assertEquals(await listIdentities(console.store, member.id), []);
});

testSso("a user without a password confirms at the provider", async ({ console }) => {
  const browser = console.browser();
  await through(browser, await browser.get("/login/sso/acme"));
  const user = await getUserByEmail(console.store, "mira@example.com");
  assert(user);
  console.clock.nowMs += 6 * 60_000;
  const asked = await browser.get("/console/account/totp");
  const confirm = asked.headers.get("location") ?? "";
  assertStringIncludes((await browser.get(confirm)).html, "Continue with Acme");
  const next = "/console/account/totp";
  const leaving = await browser.post("/console/confirm/sso", { next, provider: "acme" });
  const proved = await through(browser, leaving);
  assertRedirect(proved, "/console/confirm?next=%2Fconsole%2Faccount%2Ftotp&proved=");
  assertRedirect(await browser.get(proved.headers.get("location") ?? ""), next);
  const [session] = await listSessions(console.store, user.id);
  assert(isProved(session, console.clock.nowMs));
});

testSso("a held form goes on after the provider", async ({ console }) => {
  const browser = console.browser();
  await through(browser, await browser.get("/login/sso/acme"));
  const user = await getUserByEmail(console.store, "mira@example.com");
  const [identity] = await listIdentities(console.store, user?.id ?? "");
  const path = `/console/account/identities/${identity.id}/delete`;
  console.clock.nowMs += 6 * 60_000;
  const asked = await browser.post(path, {});
  const fields = new URL(asked.headers.get("location") ?? "", "http://localhost").searchParams;
  const form = { next: path, held: fields.get("held") ?? "", provider: "acme" };
  const proved = await through(browser, await browser.post("/console/confirm/sso", form));
  const shown = await browser.get(proved.headers.get("location") ?? "");
  assertStringIncludes(textOf(shown.html), "Confirmed. Submit your form now.");
  const held = { next: path, held: form.held, proved: "" };
  const onwards = await browser.post("/console/confirm", held);
  assertEquals([onwards.status, onwards.headers.get("location")], [307, path]);
  assertRedirect(await browser.post(path, held), "/console/account?done=identity-only");
  assertEquals((await listIdentities(console.store, user?.id ?? "")).length, 1);
});

testSso("a proof needs the user's own identity", async ({ console, provider }) => {
  const browser = console.browser();
  await through(browser, await browser.get("/login/sso/acme"));
  console.clock.nowMs += 6 * 60_000;
  provider.user = { sub: "2", email: "other@example.com", email_verified: true };
  const next = "/console/account/totp";
  const leaving = await browser.post("/console/confirm/sso", { next, provider: "acme" });
  const { headers } = await through(browser, leaving);
  const shown = await browser.get(headers.get("location") ?? "");
  assertStringIncludes(textOf(shown.html), "This account of Acme is not yours.");
  assertEquals((await browser.get(next)).status, 303);
});

testSso("the word proved alone proves nothing", async ({ console }) => {
  const browser = await console.signedIn(member);
  console.clock.nowMs += 6 * 60_000;
  const next = "/console/account/totp";
  assertEquals((await browser.get(`/console/confirm?next=${next}&proved=`)).status, 200);
  const posted = await browser.post("/console/confirm", { next, proved: "", password: "x" });
  assertEquals(posted.status, 401);
});

testSso("only the owner signs in by password where providers are for everyone", async (scene) => {
  const { console: { store }, console } = scene;
  for (const { id } of [administrator, member]) {
    await setPassword({ store, passwords: testPasswords }, id, { password });
  }
  await updateSettings(store, (settings) => ({ ...settings, signUp: "open" }));
  await console.directory.refresh();
  const browser = console.browser();
  const login = await browser.get("/login");
  assert(!login.html.includes('name="password"') && !login.html.includes("/signup"));
  assertStringIncludes(login.html, 'href="/login?local"');
  assertStringIncludes((await browser.get("/login?local")).html, 'name="password"');
  const members = await browser.post("/login", { email: member.email, password });
  assertEquals(members.status, 401);
  assertStringIncludes(textOf(members.html), "Wrong e-mail or password.");
  assertRedirect(
    await browser.post("/login", { email: administrator.email, password }),
    "/console",
  );
  assertEquals((await console.browser().get("/signup")).status, 404);
  const account = await (await console.signedIn(member)).get("/console/account");
  assert(!account.html.includes("/console/account/password"));
}, { local: "owner" });

testSso(
  "links that would set a password lead to no one where there are none",
  async ({ console }) => {
    const { store } = console;
    const draft = {
      email: "mira@example.com",
      role: "administrator",
      spending: "unlimited",
    } as const;
    const issued = await issueInvitation(store, administrator, draft, {
      nowMs: console.clock.nowMs,
    });
    assert(issued.type === "issued");
    const browser = console.browser();
    const invitation = `/invitation/${issued.token}`;
    assertRedirect(await browser.get(invitation), "/login");
    assertRedirect(await browser.post(invitation, { password }), "/login");
    assertEquals(await getUserByEmail(store, "mira@example.com"), undefined);
    const linkOf = (user: User) =>
      issuePasswordLink(store, { user, createdBy: administrator.id }, console.clock.nowMs);
    assertEquals((await browser.get(`/password/${await linkOf(member)}`)).status, 410);
    assertEquals((await browser.get(`/password/${await linkOf(administrator)}`)).status, 200);
    await through(browser, await browser.get("/login/sso/acme"));
    const joined = await getUserByEmail(store, "mira@example.com");
    assertEquals([joined?.role, joined?.spending], ["member", "unlimited"]);
    const admin = await console.signedIn(administrator);
    assert(!(await admin.get(`/console/admin/users/${member.id}`)).html.includes("/password"));
    const { html } = await admin.get("/console/admin/users/invite");
    assertStringIncludes(html, "accepts it by single sign-on joins as a member");
  },
  { local: "owner" },
);

testSso("an administrator sees the identities of a user", async ({ console }) => {
  const browser = console.browser();
  await through(browser, await browser.get("/login/sso/acme"));
  const user = await getUserByEmail(console.store, "mira@example.com");
  const admin = await console.signedIn(administrator);
  const shown = await admin.get(`/console/admin/users/${user?.id}`);
  assertStringIncludes(textOf(shown.html), "Acme · mira@example.com");
});

testSso(
  "who signs in at the provider signs a device in, which ends with the account",
  async ({ console }) => {
    const { store, directory, clock } = console;
    const { userCode, deviceCode } = await startDevice(store, clock.nowMs);
    const asked = `/console/account/devices?user_code=${userCode}`;
    const browser = console.browser();
    const next = encodeURIComponent(asked);
    assertRedirect(await browser.get(asked), `/login?next=${next}`);
    const arrived = await through(browser, await browser.get(`/login/sso/acme?next=${next}`));
    assertRedirect(arrived, asked);
    assertStringIncludes((await browser.get(asked)).html, `value="${userCode}"`);
    const form = { code: userCode, group: "default" };
    const answer = await browser.post("/console/account/devices", form);
    assertRedirect(answer, "/console/account/devices?done=admitted");
    const deps = () => ({ store, directory, nowMs: clock.nowMs });
    const tokens = await firstTokens(deps(), deviceCode);
    assert(typeof tokens === "object");
    assertEquals(tokens.email, "mira@example.com");
    const call = () => authorize(tokens.access, { ip: "203.0.113.7", ...deps() }, directory);
    const user = await getUserByEmail(store, "mira@example.com");
    assert(user);
    assertEquals((await call()).key.accountId, user.id);
    await updateUser(store, user.id, (current) => ({ ...current, enabled: false }));
    await assertRejects(call, GatewayError, "disabled");
    assertEquals(await refreshTokens(deps(), tokens.refresh), "invalid_grant");
    await updateUser(store, user.id, (current) => ({ ...current, enabled: true }));
    await call();
    await removeUser(store, user.id);
    await assertRejects(call, GatewayError, "Invalid API key");
    assertEquals(await refreshTokens(deps(), tokens.refresh), "invalid_grant");
  },
);
