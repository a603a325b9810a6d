import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { getApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { updateUser } from "../../lib/store/users/mod.ts";
import { assertRedirect, testConsole, textOf } from "./console.ts";
import { administrator, member, nowMs } from "./people.ts";
import { addCall, addKey } from "./records.ts";

const pages = [
  "/console",
  "/console/token",
  "/console/token/new",
  "/console/token/key_x/delete",
  "/console/log",
  "/console/log/req_1",
  "/console/pricing",
  "/console/topup",
] as const;

const mutations = [
  ["/console/token/new", { name: "stolen", group: "default" }],
  ["/console/token/key_x/enabled", { enabled: "false" }],
  ["/console/token/key_x/delete", {}],
] as const;

for (const path of pages) {
  testConsole(`${path} leads who is not signed in to the sign-in and back`, async (console) => {
    const answer = await console.browser().get(`${path}?q=a%26b`);
    const next = encodeURIComponent(`${path}?q=a%26b`);
    assertRedirect(answer, `/login?next=${next}`);
    assertEquals(answer.html, "");
    assertHeaders(answer.headers, answer.html);
  });

  testConsole(`${path} carries the security headers`, async (console) => {
    await addKey(console.store, { id: "key_x" });
    await addCall(console.store, { id: "req_1" });
    const { status, headers, html } = await (await console.signedIn(administrator)).get(path);
    assertEquals(status, 200);
    assertHeaders(headers, html);
  });
}

for (const [path, form] of mutations) {
  testConsole(`POST ${path} needs a session`, async (console) => {
    await addKey(console.store, { id: "key_x" });
    const browser = console.browser();
    assertRedirect(await browser.post(path, form), "/login?next=%2Fconsole");
    const asData = await browser.post(path, form, { accept: "application/json" });
    assertEquals([asData.status, asData.html], [401, '{"status":401}']);
    await assertUntouched(console.store);
  });

  for (
    const [what, headers] of [
      ["another site's page", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
      ["a sibling host's page", { "sec-fetch-site": "same-site", origin: "http://a.localhost" }],
      ["an old browser on another site", { origin: "https://evil.example" }],
      ["a sandboxed frame", { "sec-fetch-site": "cross-site", origin: "null" }],
    ] as const
  ) {
    testConsole(`POST ${path} from ${what} is refused`, async (console) => {
      await addKey(console.store, { id: "key_x" });
      const browser = await console.signedIn(administrator);
      const answer = await browser.post(path, form, headers);
      assertEquals(answer.status, 403);
      assertStringIncludes(textOf(answer.html), "Request rejected");
      assertHeaders(answer.headers, answer.html);
      await assertUntouched(console.store);
    });
  }

  testConsole(`POST ${path} cannot reach another account's key`, async (console) => {
    await addKey(console.store, { id: "key_x" });
    const browser = await console.signedIn(member);
    const { status } = await browser.post(path, form);
    if (path === "/console/token/new") {
      assertEquals((await listApiKeys(console.store, { accountId: "owner" })).length, 1);
    } else {
      assertEquals(status, 404);
      await assertUntouched(console.store);
    }
  });
}

testConsole("a member sees the own account's keys and calls only", async (console) => {
  await addKey(console.store, { id: "key_x", name: "owners-key" });
  await addKey(console.store, { name: "members-key", accountId: member.id });
  await addCall(console.store, { id: "req_OWNERS", keyName: "owners-key" });
  await addCall(console.store, { id: "req_MEMBERS", accountId: member.id, keyName: "members-key" });
  const browser = await console.signedIn(member);
  for (const path of ["/console", "/console/token", "/console/log"]) {
    const { html } = await browser.get(path);
    assert(!html.includes("owners-key") && !html.includes("req_OWNERS"), path);
  }
  assertStringIncludes((await browser.get("/console/token")).html, "members-key");
  assertStringIncludes((await browser.get("/console/log")).html, "req_MEMBERS");
  assertEquals((await browser.get("/console/log/req_MEMBERS")).status, 200);
  assertEquals((await browser.get("/console/log/req_OWNERS")).status, 404);
  assertEquals((await browser.get("/console/token/key_x/delete")).status, 404);
});

testConsole("another account's call looks the same as one that never was", async (console) => {
  await addCall(console.store, { id: "req_OWNERS" });
  const browser = await console.signedIn(member);
  const [other, none] = await Promise.all(
    ["req_OWNERS", "req_NOBODYS"].map((id) => browser.get(`/console/log/${id}`)),
  );
  assertEquals(other.status, none.status);
  assertEquals(
    textOf(other.html).replaceAll("req_OWNERS", ""),
    textOf(none.html).replaceAll("req_NOBODYS", ""),
  );
});

testConsole(
  "a session ends with its time, its user's rights and by signing out",
  async (console) => {
    const browser = await console.signedIn(member);
    assertEquals((await browser.get("/console")).status, 200);
    await updateUser(console.store, member.id, (user) => ({ ...user, enabled: false }));
    assertEquals((await browser.get("/console")).status, 303);
    await updateUser(console.store, member.id, (user) => ({ ...user, enabled: true }));
    assertEquals((await browser.get("/console")).status, 200);
    console.clock.nowMs = nowMs + 31 * 86_400_000;
    assertEquals((await browser.get("/console")).status, 303);
  },
);

testConsole("a session that is used keeps its cookie alive", async (console) => {
  const browser = await console.signedIn(member);
  assertEquals((await browser.get("/console")).headers.getSetCookie(), []);
  console.clock.nowMs = nowMs + 10 * 60_000;
  const [cookie] = (await browser.get("/console")).headers.getSetCookie();
  assertMatch(cookie, /^__Host-tessera=.+; Max-Age=2592000;/);
});

for (
  const [path, status, text] of [
    ["/nowhere", 404, "Page not found"],
    ["/console/nowhere", 404, "Page not found"],
    ["/css/none.css", 404, "Page not found"],
  ] as const
) {
  testConsole(`${path} answers ${status} with a page and its headers`, async (console) => {
    const answer = await console.browser().get(path);
    assertEquals(answer.status, status);
    assertStringIncludes(textOf(answer.html), text);
    assertHeaders(answer.headers, answer.html);
  });
}

testConsole("a form that is too large or of another kind is refused", async (console) => {
  const browser = await console.signedIn(administrator);
  const large = await browser.post("/console/token/new", { name: "x".repeat(70_000) });
  assertEquals(large.status, 413);
  assertHeaders(large.headers, large.html);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join();
  const answer = await console.fetch(
    new Request("http://localhost/console/token/new", {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: "{}",
    }),
  );
  await answer.body?.cancel();
  assertEquals(answer.status, 415);
});

testConsole("https keeps the wish for https, plain http does not have it", async (console) => {
  const secure = await console.browser({ origin: "https://gateway.example" }).get("/login");
  const plain = await console.browser({ origin: "http://gateway.example" }).get("/login");
  const policy = ({ headers }: typeof plain) => headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy(secure), "upgrade-insecure-requests");
  assert(!policy(plain).includes("upgrade-insecure-requests"));
});

testConsole("fonts may be kept, pages may not", async (console) => {
  const { html } = await console.browser().get("/css/tokens.css");
  const font = /url\("(\/fonts\/[^"]+)"\)/.exec(html)?.[1] ?? "";
  const answer = await console.browser().get(font);
  assertEquals(answer.status, 200);
  assertStringIncludes(answer.headers.get("cache-control") ?? "", "immutable");
  const login = await console.browser().get("/login");
  assertEquals(login.headers.get("cache-control"), "no-store");
});

function assertHeaders(headers: Headers, html: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy, "frame-ancestors 'none'");
  assertStringIncludes(policy, "default-src 'self'");
  assert(!policy.includes("unsafe-inline"), policy);
  assert(!policy.includes("unsafe-eval"), policy);
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("referrer-policy"), "same-origin");
  assertEquals(headers.get("cache-control"), "no-store");
  const nonce = /script-src 'self' 'nonce-([0-9a-f]+)'/.exec(policy)?.[1];
  for (const [tag] of html.matchAll(/<(?:script|style)\b[^>]*>/g)) {
    assertStringIncludes(tag, `nonce="${nonce}"`);
  }
  assert(!/\sstyle="/.test(html), "a style attribute, which the policy blocks");
  assert(!/\son[a-z]+="/.test(html), "an inline handler, which the policy blocks");
}

async function assertUntouched(store: Parameters<typeof getApiKey>[0]): Promise<void> {
  assertEquals((await getApiKey(store, "key_x"))?.enabled, true);
  assertEquals((await listApiKeys(store)).length, 1);
}
