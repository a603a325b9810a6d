import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { issueInvitation } from "../../../lib/accounts/mod.ts";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { type Config, loadConfig } from "../../../lib/config.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { defaultSettings, readSettings } from "../../../lib/store/catalog/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";

const path = "/console/admin/settings";
const unchanged = {
  siteName: "Tessera",
  signUp: "invitation",
  signUpDomains: "",
  notice: "",
  contact: "",
  compactionPrompt: "",
  theme: "system",
  language: "browser",
  timeZone: "browser",
};

testConsole("settings: are changed, counted at once and written down", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  const form = {
    ...unchanged,
    siteName: "Acme <b>AI</b>",
    signUp: "open",
    signUpDomains: "@Example.com, bücher.example",
    publicPricing: "true",
    notice: "Maintenance at noon\r\n<script>alert(1)</script>",
    contact: "ops@example.com",
    compactionPrompt: "Write the minutes.",
    timeZone: "Asia/Tokyo",
  };
  assertRedirect(await browser.post(path, form), `${path}?done=saved`);
  assertEquals(await readSettings(store), {
    ...defaultSettings,
    siteName: "Acme <b>AI</b>",
    signUp: "open",
    signUpDomains: ["example.com", "xn--bcher-kva.example"],
    publicPricing: true,
    notice: "Maintenance at noon\n<script>alert(1)</script>",
    contact: "ops@example.com",
    compactionPrompt: "Write the minutes.",
    timeZone: "Asia/Tokyo",
  });
  const { html } = await browser.get(`${path}?done=saved`);
  assertStringIncludes(html, ">Settings · Acme &lt;b>AI&lt;/b></title>");
  assertStringIncludes(html, "&lt;script>alert(1)&lt;/script>");
  assert(!html.includes("<b>AI"));
  assertStringIncludes(textOf(html), "Settings saved.");
  const { entries: [{ kind, action, changes }] } = await listAuditEntries(store, { limit: 1 });
  assertEquals([kind, action], ["settings", "changed"]);
  assertEquals(changes.slice(0, 2), [
    { field: "siteName", before: "Tessera", after: "Acme <b>AI</b>" },
    { field: "signUp", before: "invitation", after: "open" },
  ]);
  assertRedirect(await browser.post(path, form), `${path}?done=unchanged`);
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries.length, 1);
});

testConsole(
  "settings: what will not do comes back marked, and nothing is saved",
  async (console) => {
    const browser = await console.signedIn(administrator);
    const form = {
      siteName: " ",
      signUp: "all",
      signUpDomains: "example.com\nnot a domain",
      notice: "n".repeat(1_001),
      contact: "one\ntwo",
      compactionPrompt: "p".repeat(16_385),
      theme: "pink",
      language: "tlh",
      timeZone: "Mars/Olympus",
    };
    const answer = await browser.post(path, form);
    assertEquals(answer.status, 422);
    assertEquals(answer.html.match(/aria-invalid="true"/g)?.length, 9);
    assertEquals(await readSettings(console.store), defaultSettings);
  },
);

testConsole("settings: notice, contact and name are where they belong", async (console) => {
  const browser = await console.signedIn(administrator);
  const said = { siteName: "Acme", notice: "Closed on Monday", contact: "ops@example.com" };
  await browser.post(path, { ...unchanged, ...said });
  const theirs = await console.signedIn(member);
  for (const page of ["/console", "/console/token", "/console/log", "/console/topup"]) {
    const { html } = await theirs.get(page);
    assertStringIncludes(textOf(html), "Closed on Monday");
    assertStringIncludes(html, "· Acme</title>");
  }
  assertStringIncludes(textOf((await theirs.get("/console/topup")).html), "Ask ops@example.com.");
  const stranger = console.browser();
  const entry = textOf((await stranger.get("/login")).html);
  assertStringIncludes(entry, "Acme");
  assert(!entry.includes("Closed on Monday") && !entry.includes("ops@example.com"));
  const failed = await stranger.post("/login", { email: "nobody@example.com", password: "wrong" });
  assertStringIncludes(textOf(failed.html), "Ask ops@example.com.");
});

testConsole(
  "settings: the notice is hidden in one browser until there is another",
  async (console) => {
    const browser = await console.signedIn(administrator);
    await browser.post(path, { ...unchanged, notice: "Closed on Monday" });
    const hide = /name="hiddenNotice" value="([^"]*)"/.exec((await browser.get("/console")).html);
    const back = "/console/log?status=failed";
    const hidden = await browser.post("/preferences", { hiddenNotice: hide?.[1] ?? "", back });
    assertRedirect(hidden, back);
    assert(!(await browser.get("/console")).html.includes("Closed on Monday"));
    const other = await console.signedIn(member);
    assertStringIncludes((await other.get("/console")).html, "Closed on Monday");
    await other.post("/preferences", { hiddenNotice: "x; Path=/; Domain=evil.test" });
    assertStringIncludes((await other.get("/console")).html, "Closed on Monday");
    await browser.post(path, { ...unchanged, notice: "Open again" });
    assertStringIncludes((await browser.get("/console")).html, "Open again");
  },
);

testConsole("settings: defaults count for who has chosen nothing else", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(path, {
    ...unchanged,
    theme: "dark",
    language: "zh-CN",
    timeZone: "Asia/Tokyo",
  });
  const { html } = await console.browser({ language: "en" }).get("/login");
  assertStringIncludes(html, '<html lang="zh-CN" data-theme="dark">');
  const reader = console.browser({ language: "zh-CN" });
  reader.cookies.set("tessera_language", "en").set("tessera_theme", "light");
  assertStringIncludes((await reader.get("/login")).html, '<html lang="en" data-theme="light">');
  const own = await console.signedIn(administrator);
  own.cookies.set("tessera_zone", "America/New_York").set("tessera_language", "en");
  assertStringIncludes(textOf((await own.get("/console/admin/audit")).html), "17:40:15");
});

testConsole("settings: deliveries say how they are set up, and can be tried", async (console) => {
  const { store, directory, clock } = console;
  const browser = await console.signedIn(administrator);
  const bare = textOf((await browser.get(path)).html);
  assertStringIncludes(bare, "Not sent: alerts.webhook is not set");
  assertStringIncludes(bare, "limits.logRetentionDays");
  assertEquals((await browser.post(`${path}/test`, { delivery: "alerts" })).status, 404);
  const config = loadConfig({});
  let answer: "delivered" | "answered-503" = "delivered";
  provideAdmin({
    store,
    directory,
    config: { ...config, alerts: webhook },
    alerts: { test: () => Promise.resolve(answer) },
    now: () => clock.nowMs,
  });
  const { html } = await browser.get(path);
  assertStringIncludes(textOf(html), "Sent to hooks.example.com, signed");
  assert(!html.includes("whsec_") && !html.includes("/secret-path"));
  const tried = await browser.post(`${path}/test`, { delivery: "alerts" });
  assertRedirect(tried, path);
  assertStringIncludes(textOf((await browser.get(path)).html), "Test alert delivered.");
  answer = "answered-503";
  assertRedirect(await browser.post(`${path}/test`, { delivery: "alerts" }), path);
  const failure = "Test alert not delivered: The server returned 503.";
  assertStringIncludes(textOf((await browser.get(path)).html), failure);
  assert(!textOf((await browser.get(path)).html).includes(failure), "told again after a reload");
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries, []);
});

testConsole("settings: say which version runs, since when and on which store", async (console) => {
  const { store, directory, clock } = console;
  const browser = await console.signedIn(administrator);
  const file = await Deno.makeTempFile();
  const about = async (at: Config["store"]) => {
    const config = { ...loadConfig({}), store: at };
    provideAdmin({ store, directory, config, now: () => clock.nowMs });
    const { html } = await browser.get(path);
    assertStringIncludes(html, 'href="/readyz"');
    return textOf(html);
  };
  try {
    await Deno.writeFile(file, new Uint8Array(3 * 1024 * 1024));
    const { version: expected } = JSON.parse(await Deno.readTextFile("deno.json"));
    const text = await about({ type: "file", path: file });
    assertStringIncludes(text, `About Version ${expected} Deno version ${Deno.version.deno}`);
    assertStringIncludes(text, "Store Local file, 3 MiB Running since");
    assert(!text.includes(file), "no path");
    assertStringIncludes(await about({ type: "file", path: `${file}.none` }), "Local file Running");
    const url = "https://kv.example.com/secret?token=1";
    const remote = await about({ type: "server", url });
    assertStringIncludes(remote, "KV server at kv.example.com Running");
    assertStringIncludes(await about({ type: "memory" }), "In memory: lost at the next restart");
  } finally {
    await Deno.remove(file);
  }
});

testConsole("settings: are an administrator's alone", async (console) => {
  const browser = await console.signedIn(member);
  assertEquals((await browser.get(path)).status, 403);
  assertEquals((await browser.post(path, unchanged)).status, 403);
  assertEquals((await browser.post(`${path}/test`, { delivery: "alerts" })).status, 403);
  assertEquals(await readSettings(console.store), defaultSettings);
});

const webhook = {
  thresholds: [80],
  lowBalanceNanoUsd: 5_000_000_000n,
  webhook: { url: "https://hooks.example.com/secret-path", secret: "whsec_x" },
};

testConsole("settings: models and prices are public where they say so", async (console) => {
  const stranger = console.browser();
  assertRedirect(await stranger.get("/pricing"), "/console/pricing");
  assert(!(await stranger.get("/login")).html.includes('href="/pricing"'));
  const browser = await console.signedIn(administrator);
  await browser.post(path, { ...unchanged, publicPricing: "true" });
  const { status, html } = await stranger.get("/pricing");
  assertEquals(status, 200);
  assertStringIncludes(textOf(html), "tessera-echo");
  assertStringIncludes(textOf(html), "Prices are those of the default group");
  assert(!textOf(html).includes("coding") && !html.includes("/console/pricing/model"));
  assertStringIncludes((await stranger.get("/login")).html, 'href="/pricing"');
  assertRedirect(await browser.get("/pricing"), "/console/pricing");
});

testConsole("settings: where sign-up is closed, an invitation waits", async (console) => {
  const browser = await console.signedIn(administrator);
  const draft = { email: "lea@example.com", role: "member", spending: "prepaid" } as const;
  const issued = await issueInvitation(console.store, administrator, draft, { nowMs });
  assert(issued.type === "issued");
  const link = `/invitation/${issued.token}`;
  await browser.post(path, { ...unchanged, signUp: "closed" });
  const invite = textOf((await browser.get("/console/admin/users/invite")).html);
  assertStringIncludes(invite, "Sign-up is closed in the settings");
  const stranger = console.browser();
  assertEquals((await stranger.get(link)).status, 410);
  assertEquals((await stranger.post(link, { password: "five unrelated words" })).status, 410);
  await browser.post(path, unchanged);
  assertRedirect(await stranger.post(link, { password: "five unrelated words" }), "/console");
});

testConsole("settings: name the log's retention and its archive", async (console) => {
  const browser = await console.signedIn(administrator);
  const shown = async () => textOf((await browser.get(path)).html).replaceAll(/\s+/g, " ");
  assertStringIncludes(await shown(), "Log archive Not set");
  const services = adminServices();
  assert(services);
  const file = JSON.stringify({ logArchive: { folder: "/srv/archive" } });
  const { logArchive } = loadConfig({ TESSERA_CONFIG: "tessera.jsonc" }, () => file);
  provideAdmin({ ...services, config: { ...services.config, logArchive } });
  const text = await shown();
  assertStringIncludes(text, "Log retention Forever, with the archive");
  assertStringIncludes(text, "Log archive After 30 days, to /srv/archive");
});

testConsole("settings: a group is saved without the others", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(path, { ...unchanged, publicPricing: "true", notice: "Closed on Monday" });
  const general = { siteName: "Acme", contact: "", notice: "Open again" };
  assertRedirect(await browser.post(path, general), `${path}?done=saved`);
  const saved = { ...defaultSettings, siteName: "Acme", notice: "Open again" };
  assertEquals(await readSettings(console.store), { ...saved, publicPricing: true });
  await browser.post(path, { signUp: "closed", signUpDomains: "" });
  const settings = await readSettings(console.store);
  assertEquals(settings, { ...saved, signUp: "closed", publicPricing: false });
  const { html } = await browser.get(path);
  assertEquals(html.match(/<form class="settings-form"/g)?.length, 3);
  const wrong = await browser.post(path, { theme: "pink", language: "en", timeZone: "browser" });
  assertEquals([wrong.status, wrong.html.match(/aria-invalid="true"/g)?.length], [422, 1]);
});
