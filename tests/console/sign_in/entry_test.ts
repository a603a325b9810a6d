import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { issueSetupLink, Passwords } from "../../../lib/accounts/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { deleteUser, getUser, listUsers } from "../../../lib/store/users/mod.ts";
import { addAccount } from "../../accounts/add_account.ts";
import {
  assertRedirect,
  openTestConsole,
  type TestConsole,
  testConsole,
  textOf,
} from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";

const password = "correct horse battery";
const good = { email: "Mira@Example.com ", password };

/** A console that nobody has set up yet. */
function testEmptyConsole(
  name: string,
  test: (console: TestConsole) => Promise<void>,
  limits: { readonly sessionDays?: number } = {},
): void {
  Deno.test({
    name: `console: ${name}`,
    sanitizeOps: false, // the worker that checks passwords outlives the test that starts it
    sanitizeResources: false,
    fn: async () => {
      const { console, close } = await openTestConsole({ empty: true, ...limits });
      try {
        await test(console);
      } finally {
        await close();
      }
    },
  });
}

testEmptyConsole("set-up makes the first administrator, once, and signs in", async (console) => {
  const path = await setupPath(console);
  const browser = console.browser();
  const form = await browser.get(path);
  assertEquals(form.status, 200);
  assertStringIncludes(form.html, 'autocomplete="new-password"');

  assertRedirect(await browser.post(path, good), "/console/welcome");
  const owner = await getUser(console.store, "owner");
  assertEquals([owner?.email, owner?.role], ["mira@example.com", "administrator"]);
  const { entries } = await listAuditEntries(console.store, { limit: 9 });
  assertEquals(entries.map(({ action, actorId }) => [action, actorId]), [["joined", "owner"]]);
  assertEquals((await browser.get("/console/token")).status, 200);

  for (const again of [await browser.get(path), await browser.post(path, good)]) {
    assertEquals(again.status, 410);
    assertStringIncludes(textOf(again.html), "This set-up link does not work");
  }
  assertEquals((await listUsers(console.store)).length, 1);
});

testEmptyConsole("of many who use one set-up link at once, one gets in", async (console) => {
  const path = await setupPath(console);
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => console.browser().post(path, { ...good, email: `u${n}@a.bc` })),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [303, 410, 410, 410]);
});

for (
  const [name, entered, texts] of [
    ["no address", { email: "mira", password }, ["Enter an e-mail address"]],
    ["a short password", { ...good, password: "elevenchars" }, ["One more character is needed."]],
    ["emoji count once each", { ...good, password: "🐎🐎🐎" }, ["9 more characters"]],
    ["a huge password", { ...good, password: "x".repeat(1_001) }, ["At most 1,000 characters"]],
    ["nothing at all", {}, ["Enter an e-mail address", "12 more characters"]],
  ] as const
) {
  testEmptyConsole(`set-up with ${name} says so and keeps the link`, async (console) => {
    const path = await setupPath(console);
    const answer = await console.browser().post(path, entered);
    assertEquals(answer.status, 422);
    for (const text of texts) assertStringIncludes(textOf(answer.html), text);
    assertEquals((await listUsers(console.store)).length, 0);
    assertRedirect(await console.browser().post(path, good), "/console/welcome");
  });
}

testEmptyConsole(
  "a set-up link that is unknown, expired or cut says what to do",
  async (console) => {
    const path = await setupPath(console);
    for (const other of ["/setup/unknown", path.slice(0, -1), "/setup", "/setup?token=%3Cb%3E"]) {
      const answer = await console.browser().get(other);
      assertEquals(answer.status, 410, other);
      assertStringIncludes(textOf(answer.html), "restart the server");
    }
    console.clock.nowMs = nowMs + 86_400_001;
    assertEquals((await console.browser().get(path)).status, 410);
    assertEquals((await console.browser().post(path, good)).status, 410);
  },
);

testEmptyConsole("the token may also stand in the query", async (console) => {
  const path = await setupPath(console);
  const answer = await console.browser().get(`/setup?token=${path.split("/")[2]}`);
  assertRedirect(answer, path);
});

testEmptyConsole("sign-in says when nobody has an account yet", async (console) => {
  assertStringIncludes(textOf((await console.browser().get("/login")).html), "set-up link");
});

testConsole("sign-in leads on to where one wanted to go", async (console) => {
  await addMira(console);
  const browser = console.browser();
  const form = await browser.get("/login?next=%2Fconsole%2Flog%3Fbefore%3Dreq_1");
  assertStringIncludes(form.html, 'value="/console/log?before=req_1"');
  const next = "/console/log?before=req_1";
  assertRedirect(await browser.post("/login", { ...good, next }), next);
  assertEquals((await browser.get(next)).status, 200);
  assertRedirect(await browser.get("/login?next=/console/topup"), "/console/topup");
});

for (
  const next of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "",
  ]
) {
  testConsole(`sign-in never leads to ${JSON.stringify(next)}`, async (console) => {
    await addMira(console);
    assertRedirect(await console.browser().post("/login", { ...good, next }), "/console");
  });
}

testConsole("sign-in says the same for an unknown user and a wrong password", async (console) => {
  await addMira(console);
  const unknown = await console.browser().post("/login", { email: "no@example.com", password });
  const wrong = await console.browser().post("/login", { ...good, password: "wrong" });
  assertEquals([unknown.status, wrong.status], [401, 401]);
  const said = ({ html }: typeof wrong) => /role="alert"[\s\S]*?<p>(.*?)<\/p>/.exec(html)?.[1];
  assertEquals(said(unknown), "Wrong e-mail or password.");
  assertEquals(said(wrong), said(unknown));
  assert(!wrong.html.includes('wrong"'), "the password is written back");
});

testConsole("too many attempts say how long to wait", async (console) => {
  await addMira(console);
  const browser = console.browser();
  for (let n = 0; n < 6; n++) await browser.post("/login", { ...good, password: "wrong" });
  const answer = await browser.post("/login", good);
  assertEquals(answer.status, 429);
  const seconds = Number(answer.headers.get("retry-after"));
  assert(seconds >= 1);
  assertStringIncludes(textOf(answer.html), `Try again in ${seconds} second`);
  console.clock.nowMs += seconds * 1_000;
  assertRedirect(await browser.post("/login", good), "/console");
});

for (
  const [origin, names] of [
    ["https://gateway.example", ["__Host-tessera"]],
    ["http://localhost", ["__Host-tessera", "tessera"]],
    ["http://127.0.0.1", ["__Host-tessera", "tessera"]],
    ["http://192.168.1.5", ["tessera"]],
    ["http://localhost.evil.example", ["tessera"]],
  ] as const
) {
  testConsole(`the session's cookie at ${origin}: ${names.join(", ")}`, async (console) => {
    await addMira(console);
    const browser = console.browser({ origin });
    const { headers } = await browser.post("/login", good);
    const all = headers.getSetCookie();
    const lines = all.filter((line) => /^(__Host-)?tessera=/.test(line));
    assertEquals(lines.map((line) => line.split("=")[0]), [...names]);
    const devices = all.filter((line) => /^(__Host-)?tessera-device=[^;]/.test(line));
    assertEquals(devices.map((line) => line.split("=")[0]), names.map((name) => `${name}-device`));
    for (const line of lines) {
      assertMatch(line, /; HttpOnly;.*SameSite=Lax; Path=\/$/);
      assertEquals(line.includes("; Secure;"), line.startsWith("__Host-"));
      assert(!line.includes("Domain"));
    }
    assertEquals((await browser.get("/console")).status, 200);
    assertRedirect(await browser.post("/logout", {}), "/login?signed-out");
    const left = [...browser.cookies.keys()];
    assertEquals(
      left,
      names.map((name) => `${name}-device`),
      "the browser stays known, and no more",
    );
  });
}

testConsole("over https the unbound cookie name opens nothing", async (console) => {
  const signedIn = await console.signedIn(administrator);
  const browser = console.browser({ origin: "https://gateway.example" });
  browser.cookies.set("tessera", signedIn.cookies.get("__Host-tessera") ?? "");
  assertEquals((await browser.get("/console")).status, 303);
});

testEmptyConsole(
  "a sign-in lasts as long as the configuration says",
  async (console) => {
    const dayMs = 86_400_000;
    const lifetimeOf = ({ headers }: { headers: Headers }) =>
      headers.getSetCookie().filter((line) => line.startsWith("__Host-tessera="))
        .map((line) => /Max-Age=(\d+)/.exec(line)?.[1]);
    const browser = console.browser({ origin: "https://gateway.example" });
    assertEquals(lifetimeOf(await browser.post(await setupPath(console), good)), ["172800"]);
    assertEquals(lifetimeOf(await browser.post("/login", good)), ["172800"]);
    console.clock.nowMs += dayMs;
    assertEquals(lifetimeOf(await browser.get("/console")), ["172800"], "use moves its end on");
    console.clock.nowMs += 2 * dayMs;
    assertEquals((await browser.get("/console")).status, 303);
  },
  { sessionDays: 2 },
);

testConsole("signing out ends the session itself, not only the cookie", async (console) => {
  const browser = await console.signedIn(member);
  const token = browser.cookies.get("__Host-tessera") ?? "";
  assertEquals((await browser.get("/logout")).status, 404);
  assertEquals((await browser.get("/console")).status, 200);
  assertRedirect(await browser.post("/logout", {}), "/login?signed-out");
  assertStringIncludes(textOf((await browser.get("/login?signed-out")).html), "signed out");
  browser.cookies.set("__Host-tessera", token);
  assertEquals((await browser.get("/console")).status, 303);
});

testConsole("a deleted user's session opens nothing", async (console) => {
  const browser = await console.signedIn(member);
  await deleteUser(console.store, member.id);
  assertEquals((await browser.get("/console")).status, 303);
});

testConsole("a cookie header that makes no sense is as none", async (console) => {
  const answer = await console.browser().get("/console", { cookie: "=x; tessera_zone=%E0%A4%A" });
  assertEquals(answer.status, 303);
});

testConsole("theme and language are remembered and lead back", async (console) => {
  const browser = await console.signedIn(member);
  const answer = await browser.post("/preferences", { theme: "dark", back: "/console/log" });
  assertRedirect(answer, "/console/log");
  assertStringIncludes((await browser.get("/console")).html, '<html lang="en" data-theme="dark"');
  await browser.post("/preferences", { locale: "zh-CN" });
  const { html } = await browser.get("/console");
  assertStringIncludes(html, '<html lang="zh-CN" data-theme="dark"');
  assertStringIncludes(html, "概览");
  await browser.post("/preferences", { theme: "system" });
  assert(!(await browser.get("/console")).html.includes("data-theme"));
});

testConsole("preferences never lead elsewhere nor keep what is none", async (console) => {
  const browser = console.browser();
  const answer = await browser.post("/preferences", {
    theme: "neon",
    locale: "__proto__",
    back: "//evil.example",
  });
  assertRedirect(answer, "/console");
  assertEquals(answer.headers.getSetCookie(), []);
});

for (
  const [header, lang] of [
    ["de, zh;q=0.5, en;q=0.4", "zh-CN"],
    ["fr", "en"],
    ["zh-TW", "zh-CN"],
    ["zh;q=0, en;q=0.1", "en"],
    [",,;q=,en;q=NaN", "en"],
  ] as const
) {
  testConsole(`Accept-Language: ${header} gives ${lang}`, async (console) => {
    const { html } = await console.browser({ language: header }).get("/login");
    assertStringIncludes(html, `<html lang="${lang}"`);
  });
}

async function setupPath({ store }: TestConsole): Promise<string> {
  const link = await issueSetupLink(store, nowMs);
  return `/setup/${link?.token}`;
}

async function addMira({ store }: TestConsole): Promise<void> {
  const passwords = new Passwords();
  await addAccount({ store, passwords }, { ...good, role: "member" }, nowMs);
  passwords.close();
}
