import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import { setPassword } from "../../../lib/accounts/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { getTotp, listPasskeys, listSessions, type User } from "../../../lib/store/users/mod.ts";
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

const path = "/console/account";
const origin = "http://localhost";
const password = "correct horse battery";

async function withPassword({ store }: TestConsole, user: User): Promise<void> {
  await setPassword({ store, passwords: testPasswords }, user.id, { password });
}

async function lastEntry(store: Store) {
  return (await listAuditEntries(store, { limit: 1 })).entries[0];
}

/** The passkey options in an island's props, which the page passes to the browser. */
function optionsIn({ html }: Page) {
  const found = /"(djEu[\w-]+)/.exec(html); // the encoded version prefix of our challenges
  assert(found, "the page asks for no passkey");
  return { challenge: found[1], rp: { id: "localhost" }, rpId: "localhost" };
}

/** Turns the second step on; returns what makes its codes, and the recovery codes. */
async function turnOn(console: TestConsole, browser: TestBrowser) {
  const enrol = await browser.get(`${path}/totp`);
  const sealed = /name="sealed" value="([^"]+)"/.exec(enrol.html)?.[1] ?? "";
  const secret = /((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(enrol.html)?.[1].replaceAll(" ", "") ?? "";
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeAt = () => totp.generate({ timestamp: console.clock.nowMs });
  const answer = await browser.post(`${path}/totp`, { sealed, code: codeAt() });
  const shown = await browser.get(answer.headers.get("location") ?? "");
  const codes = shown.html.match(/([0-9A-Z]{4}-){3}[0-9A-Z]{4}/g) ?? [];
  return { codeAt, answer, shown, codes: [...new Set(codes)] };
}

testConsole("account: the page says who one is, and is in the menu", async (console) => {
  const browser = await console.signedIn(member);
  const { status, html } = await browser.get(path);
  assertEquals(status, 200);
  for (const text of ["member@example.com", "Passkeys", "Two-step sign-in", "This browser"]) {
    assertStringIncludes(textOf(html), text);
  }
  assertStringIncludes((await browser.get("/console")).html, 'href="/console/account"');
  assertRedirect(await browser.get(`${path}/password`), path);
});

testConsole("account: the password is changed by who knows the present one", async (console) => {
  const { store } = console;
  await withPassword(console, member);
  const browser = await console.signedIn(member);
  const other = await console.signedIn(member);
  const change = (current: string, next: string) =>
    browser.post(`${path}/password`, { current, password: next });
  const short = await change(password, "short");
  assertEquals(short.status, 422);
  assertStringIncludes(textOf(short.html), "7 more characters are needed.");
  const wrong = await change("wrong horse battery", "five unrelated words");
  assertEquals(wrong.status, 422);
  assertStringIncludes(textOf(wrong.html), "Wrong current password.");
  assert(!wrong.html.includes("five unrelated"));
  assertEquals((await other.get(path)).status, 200);
  assertRedirect(await change(password, "five unrelated words"), `${path}?done=password`);
  assertEquals((await other.get(path)).status, 303);
  assertStringIncludes(
    textOf((await browser.get(`${path}?done=password`)).html),
    "Password changed.",
  );
  const entry = await lastEntry(store);
  assertEquals([entry.actorId, entry.changes], [member.id, [{
    field: "password",
    after: "changed",
  }]]);
  for (let n = 0; n < 5; n++) await change(password, "five unrelated words");
  assertEquals((await change("five unrelated words", "six quite unrelated words")).status, 429);
});

testConsole("account: sessions are told apart and ended", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(member, {
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36",
    ip: "203.0.113.9",
  });
  const phone = await console.signedIn(member, {
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17) Version/17.0 Mobile Safari/604.1",
  });
  const third = await console.signedIn(member, { userAgent: "curl/8.10.1" });
  const theirs = await console.signedIn(administrator);
  const { html } = await browser.get(path);
  for (const text of ["Chrome on Linux", "Safari on iPhone", "curl", "203.0.113.9"]) {
    assertStringIncludes(textOf(html), text);
  }
  assertEquals(html.match(/>This browser</g)?.length, 1);
  const id = /name="session" value="([0-9a-f]{16})"[^>]*aria-label="Sign out Safari on iPhone"/
    .exec(html)?.[1] ?? "";
  assertRedirect(
    await browser.post(`${path}/sessions`, { session: id }),
    `${path}?done=session-ended`,
  );
  assertEquals((await phone.get(path)).status, 303);
  assertEquals((await third.get(path)).status, 200);
  assertEquals((await lastEntry(store)).action, "signed-out");
  await browser.post(`${path}/sessions`, { others: "true" });
  assertEquals((await third.get(path)).status, 303);
  assertEquals([(await browser.get(path)).status, (await theirs.get(path)).status], [200, 200]);
  await theirs.post(`${path}/sessions`, {
    session: (await listSessions(store, member.id))[0].digest.slice(0, 16),
  });
  assertEquals((await browser.get(path)).status, 200, "another account's session is none of one's");
});

testConsole("account: a passkey is added, named, used to sign in, and removed", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(member, { userAgent: "X Chrome/1 (Windows)" });
  const key = await newAuthenticator();
  const answer = await key.create(optionsIn(await browser.get(path)), origin);
  assertRedirect(await browser.post(`${path}/passkeys`, { answer }), `${path}?done=passkey-added`);
  assertRedirect(
    await browser.post(`${path}/passkeys`, { answer }),
    `${path}?done=passkey-refused`,
  );
  const refused = await browser.get(`${path}?done=passkey-refused`);
  assertStringIncludes(refused.html, 'role="alert"');
  const [passkey] = await listPasskeys(store, member.id);
  const at = `${path}/passkeys/${passkey.id}`;
  console.clock.nowMs++;
  assertRedirect(await browser.post(at, { name: " Blue <b>key " }), `${path}?done=passkey-named`);
  assertEquals((await lastEntry(store)).changes[0].after, "Blue <b>key");
  assertStringIncludes((await browser.get(path)).html, "Blue &lt;b>key");

  const visitor = console.browser();
  const signed = await key.get(optionsIn(await visitor.get("/login?next=/console/log")), origin);
  const form = { answer: signed, next: "/console/log" };
  assertRedirect(await visitor.post("/login/passkey", form), "/console/log");
  assertStringIncludes(textOf((await visitor.get("/console")).html), member.email);
  const again = await console.browser().post("/login/passkey", form);
  assertRedirect(again, "/login?passkey-refused&next=%2Fconsole%2Flog");
  const told = await console.browser().get("/login?passkey-refused&next=%2Fconsole%2Flog");
  assertStringIncludes(textOf(told.html), "Unknown passkey.");

  assertStringIncludes(textOf((await browser.get(`${at}/delete`)).html), "Remove Blue &lt;b>key?");
  const others = await console.signedIn(administrator);
  assertEquals((await others.get(`${at}/delete`)).status, 404);
  assertEquals((await others.post(`${at}/delete`, {})).status, 404);
  assertEquals((await others.post(at, { name: "mine" })).status, 404);
  assertRedirect(await browser.post(`${at}/delete`, {}), `${path}?done=passkey-removed`);
  assertEquals(await listPasskeys(store, member.id), []);
});

testConsole("account: passkeys cannot be where there is only an address", async (console) => {
  const browser = console.browser({ origin: "http://192.168.1.5" });
  assert(!(await browser.get("/login")).html.includes("challenge"));
  assertStringIncludes((await console.browser().get("/login")).html, "username webauthn");
});

testConsole("account: two steps are turned on, asked for, and turned off", async (console) => {
  const { store, clock } = console;
  await withPassword(console, member);
  const browser = await console.signedIn(member);
  const enrol = await browser.get(`${path}/totp`);
  assertMatch(enrol.html, /<div class="qr"[^>]*><svg/);
  assert(!/style=/.test(enrol.html));
  const bad = await browser.post(`${path}/totp`, {
    sealed: /name="sealed" value="([^"]+)"/.exec(enrol.html)?.[1] ?? "",
    code: "12345",
  });
  assertEquals(bad.status, 422);
  assertStringIncludes(textOf(bad.html), "Wrong code.");
  assertEquals((await browser.post(`${path}/totp`, { sealed: "x", code: "1" })).status, 422);

  const { codeAt, answer, shown, codes } = await turnOn(console, browser);
  assertEquals(answer.status, 303);
  assertEquals(codes.length, 10);
  const again = await browser.get(answer.headers.get("location") ?? "");
  assert(!again.html.includes(codes[0]), "the codes are shown a second time");
  assertStringIncludes(shown.html, 'download="recovery-codes.txt"');
  assertEquals((await lastEntry(store)).changes[0].field, "secondStep");
  assertRedirect(await browser.get(`${path}/totp`), path);
  assertStringIncludes(textOf((await browser.get(path)).html), "10 recovery codes left.");

  clock.nowMs += 60_000;
  const visitor = console.browser();
  const entered = { email: member.email, password, next: "/console/log" };
  const first = await visitor.post("/login", entered);
  assertRedirect(first, "/login/code?next=%2Fconsole%2Flog");
  assertEquals((await visitor.get("/console")).status, 303, "a password alone opens nothing");
  const asked = await visitor.get("/login/code?next=%2Fconsole%2Flog");
  assertStringIncludes(asked.html, 'autocomplete="one-time-code"');
  const wrong = await visitor.post("/login/code", { code: "000000" });
  assertEquals(wrong.status, 401);
  assertStringIncludes(textOf(wrong.html), "Wrong or already used code.");
  const right = await visitor.post("/login/code", { code: codeAt(), next: "/console/log" });
  assertRedirect(right, "/console/log");
  assertEquals((await visitor.get("/console/log")).status, 200);
  assertEquals(visitor.cookies.has("__Host-tessera-pending"), false);

  clock.nowMs++;
  const second = console.browser();
  await second.post("/login", entered);
  assertStringIncludes((await second.get("/login/code?recovery")).html, "Recovery code");
  await second.post("/login/code", { code: codes[3], recovery: "true" });
  assertEquals((await second.get("/console")).status, 200);
  assertEquals((await lastEntry(store)).changes, [{ field: "recoveryCode", after: "used" }]);

  const renewed = await browser.post(`${path}/totp/codes`, {});
  const fresh = (await browser.get(renewed.headers.get("location") ?? "")).html;
  assert(!fresh.includes(codes[4]));
  assertRedirect(await browser.post(`${path}/totp/delete`, {}), `${path}?done=second-step-off`);
  assertEquals(await getTotp(store, member.id), undefined);
  assertEquals((await browser.get(`${path}/totp/delete`)).status, 404);
  assertRedirect(await console.browser().post("/login", entered), "/console/log");
});

testConsole(
  "account: a code without a password before it leads to the sign-in",
  async (console) => {
    const visitor = console.browser();
    assertRedirect(await visitor.get("/login/code"), "/login?code-gone");
    assertRedirect(await visitor.post("/login/code", { code: "123456" }), "/login?code-gone");
    assertStringIncludes(
      textOf((await visitor.get("/login?code-gone")).html),
      "Timed out.",
    );
  },
);

testConsole("account: an administrator sees and resets a user's second step", async (console) => {
  const { store } = console;
  await withPassword(console, member);
  const theirs = await console.signedIn(member);
  await turnOn(console, theirs);
  const browser = await console.signedIn(administrator);
  const user = `/console/admin/users/${member.id}`;
  assertMatch(
    textOf((await browser.get("/console/admin/users")).html),
    /member@example\.com Enabled Member Code /,
  );
  assertStringIncludes((await browser.get(user)).html, `${user}/second-step`);
  const question = await browser.get(`${user}/second-step`);
  assertStringIncludes(textOf(question.html), "Reset two-step sign-in of member@example.com?");
  console.clock.nowMs++;
  assertRedirect(await browser.post(`${user}/second-step`, {}), `${user}?done=second-step`);
  assertEquals(await getTotp(store, member.id), undefined);
  assertEquals((await theirs.get(path)).status, 303);
  const { action, targetId, changes } = await lastEntry(store);
  assertEquals([action, targetId, changes[0].after], ["changed", member.id, "reset"]);
});

testConsole("account: an administrator makes a link for a lost password", async (console) => {
  const { store } = console;
  await withPassword(console, member);
  const browser = await console.signedIn(administrator);
  const user = `/console/admin/users/${member.id}`;
  assertStringIncludes(
    textOf((await browser.get(`${user}/password`)).html),
    "New password link for",
  );
  const made = await browser.post(`${user}/password`, {});
  const shown = await browser.get(made.headers.get("location") ?? "");
  const link = /http:\/\/localhost(\/password\/[\w-]{43})/.exec(shown.html)?.[1] ?? "";
  assert(!JSON.stringify(await lastEntry(store)).includes(link.slice(10)));
  assert(!(await browser.get(made.headers.get("location") ?? "")).html.includes(link));

  const visitor = console.browser();
  assertStringIncludes((await visitor.get(link)).html, member.email);
  assertEquals((await visitor.post(link, { password: "short" })).status, 422);
  const next = "five unrelated words";
  console.clock.nowMs++;
  assertRedirect(await visitor.post(link, { password: next }), "/login?password-set");
  assertStringIncludes(
    textOf((await visitor.get("/login?password-set")).html),
    "Password set.",
  );
  assertEquals((await visitor.get(link)).status, 410);
  assertEquals((await visitor.post(link, { password: next })).status, 410);
  assertRedirect(await visitor.post("/login", { email: member.email, password: next }), "/console");
  const actors = (await listAuditEntries(store, { limit: 2 })).entries.map(({ actorId }) =>
    actorId
  );
  assertEquals(actors, [member.id, "owner"]);
});
