import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  getApiKey,
  getApiKeyByDigest,
  listApiKeys,
  noteApiKeyUse,
} from "../../../lib/store/api_keys/mod.ts";
import { digestOf } from "../../../lib/store/kv/digest.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { assertRedirect, type TestBrowser, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addKey } from "../records.ts";

const day = 86_400_000;
const secretPattern = /sk-[0-9A-Za-z]{34}/g;

testConsole("a key made by a form: led on, shown once, never in an address", async (console) => {
  const browser = await console.signedIn(administrator);
  const answer = await browser.post("/console/token/new", {
    name: " ci  nightly ",
    group: "default",
  });
  assertRedirect(answer, "/console/token");
  const flash = answer.headers.getSetCookie().join();
  assertMatch(flash, /tessera_flash=[^;]+; HttpOnly; Max-Age=120; SameSite=Lax; Path=\/console/);
  assertEquals(decodeURIComponent(flash).match(secretPattern), null);

  const shown = await browser.get("/console/token");
  const [secret = ""] = shown.html.match(secretPattern) ?? [];
  assertStringIncludes(textOf(shown.html), "ci nightly is ready");
  const stored = await getApiKeyByDigest(console.store, digestOf(secret));
  assertEquals([stored?.name, stored?.accountId, stored?.enabled], ["ci nightly", "owner", true]);
  assertEquals(stored?.createdAtMs, nowMs);

  const again = await browser.get("/console/token");
  assertEquals(again.html.match(secretPattern), null);
  assertStringIncludes(again.html, "ci nightly");
});

testConsole(
  "a key made by the dialog: led to its secret, with a client's settings",
  async (console) => {
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(
      "/console/token/new",
      { name: "ci", group: "default" },
      asData,
    );
    assertEquals([answer.status, answer.headers.get("location")], [201, "/console/token"]);
    assertEquals(answer.html, "");
    const shown = await browser.get("/console/token");
    assertEquals(shown.headers.get("cache-control"), "no-store");
    const [secret = ""] = shown.html.match(secretPattern) ?? [];
    assert(await getApiKeyByDigest(console.store, digestOf(secret)));
    const text = textOf(shown.html);
    assertStringIncludes(text, `Authorization: Bearer ${secret}`);
    assertStringIncludes(text, `export ANTHROPIC_AUTH_TOKEN='${secret}'`);
    assertStringIncludes(text, "Not listening");
    assertEquals((await browser.get("/console/token")).html.match(secretPattern), null);
  },
);

testConsole("what one session made is not shown in another", async (console) => {
  const [browser, other] = await Promise.all([1, 2].map(() => console.signedIn(administrator)));
  await browser.post("/console/token/new", { name: "ci", group: "default" });
  other.cookies.set("tessera_flash", browser.cookies.get("tessera_flash") ?? "");
  assertEquals((await other.get("/console/token")).html.match(secretPattern), null);
  assertEquals(other.cookies.has("tessera_flash"), false);
});

testConsole("a key takes everything that the form asks for", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post("/console/token/new", {
    name: "all",
    group: "coding",
    expiry: "date",
    date: "2026-12-31",
    models: "acme-*\nfast, fast",
    addresses: "203.0.113.7 2001:db8::/32",
    requestsPerMinute: "600",
    tokensPerMinute: "1000000",
    concurrency: "32",
    budgetDay: "0,50",
    budgetTotal: "9",
    alerts: "100, 50%",
  });
  const [made] = await listApiKeys(console.store, { accountId: "owner" });
  assertEquals(made.groupId, "coding");
  assertEquals(made.expiresAtMs, Date.UTC(2027, 0, 1) - 1);
  assertEquals(made.models, ["acme-*", "fast"]);
  assertEquals(made.ipAllowList, ["203.0.113.7", "2001:db8::/32"]);
  assertEquals(made.limits, {
    requestsPerMinute: 600,
    tokensPerMinute: 1_000_000,
    concurrency: 32,
  });
  assertEquals(made.budgets, [
    { nanoUsd: 500_000_000n, period: "day" },
    { nanoUsd: 9_000_000_000n, period: "total" },
  ]);
  assertEquals(made.alertPercents, [50, 100]);
});

testConsole("a key whose form is nearly empty has no limits at all", async (console) => {
  const browser = await console.signedIn(administrator);
  const form = { name: "bare", group: "default", expiry: "30", models: " ", budgetDay: "" };
  await browser.post("/console/token/new", form);
  const [made] = await listApiKeys(console.store, { accountId: "owner" });
  assertEquals(made.expiresAtMs, nowMs + 30 * day);
  assertEquals([made.models, made.ipAllowList, made.limits, made.budgets], [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

for (
  const [field, value, text] of [
    ["name", "  ", "Enter a name."],
    ["name", "x".repeat(61), "at most 60 characters"],
    ["name", "taken", "already have a key with this name"],
    ["group", "gone", "Choose one of your groups."],
    ["expiry", "5", "Choose an expiry."],
    ["date", "2026-11-20", "Choose a date from today"],
    ["date", "2026-02-30", "Choose a date from today"],
    ["date", "2099-01-01", "Choose a date from today"],
    ["date", "tomorrow", "Choose a date from today"],
    ["models", "x".repeat(201), "at most 100 model names"],
    ["models", Array.from({ length: 101 }, (_, n) => n).join("\n"), "at most 100 model names"],
    ["addresses", "10.0.0.0/33", "Enter IP addresses or CIDR blocks"],
    ["addresses", "10.0.0", "Enter IP addresses or CIDR blocks"],
    ["addresses", "fe80::1%eth0", "Enter IP addresses or CIDR blocks"],
    ["addresses", "10.0.0.0/8/8", "Enter IP addresses or CIDR blocks"],
    ["requestsPerMinute", "0", "whole number of at least 1"],
    ["tokensPerMinute", "1e9", "whole number of at least 1"],
    ["concurrency", "-1", "whole number of at least 1"],
    ["budgetDay", "five", "Enter an amount"],
    ["budgetMonth", "0", "Enter an amount"],
    ["budgetTotal", "99999999", "Enter an amount"],
    ["alerts", "80, 101", "Enter at most ten percentages"],
    ["alerts", "half", "Enter at most ten percentages"],
  ] as const
) {
  testConsole(`${field} = ${value.slice(0, 20)} is refused beside its field`, async (console) => {
    await addKey(console.store, { name: "taken" });
    const browser = await console.signedIn(administrator);
    const expiry = field === "date" ? "date" : "never";
    const form = { name: "new", group: "default", expiry, [field]: value };
    const page = await browser.post("/console/token/new", form);
    assertEquals(page.status, 422);
    assertStringIncludes(textOf(page.html), text);
    const asked = await browser.post("/console/token/new", form, asData);
    assertEquals(asked.status, 422);
    const { problem, faults } = JSON.parse(asked.html);
    assertStringIncludes(problem, "not created");
    assertEquals(Object.keys(faults), [field]);
    assertStringIncludes(faults[field], text);
    assertEquals((await listApiKeys(console.store)).length, 1);
  });
}

testConsole("a refused form comes back with what was entered", async (console) => {
  const browser = await console.signedIn(administrator);
  const { html } = await browser.post("/console/token/new", {
    name: `<b>"bold"</b>`,
    group: "coding",
    expiry: "date",
    date: "bad",
    models: "<script>",
  });
  assertStringIncludes(html, 'value="&lt;b>&quot;bold&quot;&lt;/b>"');
  assertMatch(html, /<option [^>]*selected[^>]*>coding/);
  assertStringIncludes(html, "&lt;script>");
  assert(!html.includes("<script>"));
});

testConsole("a member may give a key no group but its own", async (console) => {
  const browser = await console.signedIn(member);
  const { html } = await browser.get("/console/token/new");
  assert(!html.includes(">coding<"));
  const refused = await browser.post("/console/token/new", { name: "x", group: "coding" });
  assertEquals(refused.status, 422);
  await addKey(console.store, { accountId: member.id, groupId: "coding", name: "given" });
  assertRedirect(
    await browser.post("/console/token/new", { name: "x", group: "coding" }),
    "/console/token",
  );
});

testConsole("disable and enable: said once, back to the list as it was", async (console) => {
  await addKey(console.store, { id: "key_x", name: "ci" });
  const browser = await console.signedIn(administrator);
  const back = "/console/token?q=c&sort=name";
  const off = await browser.post("/console/token/key_x/enabled", { enabled: "false", back });
  assertRedirect(off, back);
  assertEquals((await getApiKey(console.store, "key_x"))?.enabled, false);
  assertStringIncludes(textOf((await browser.get(back)).html), "ci is disabled.");
  assert(!textOf((await browser.get(back)).html).includes("ci is disabled."));
  const elsewhere = { enabled: "true", back: "https://evil.example" };
  assertRedirect(await browser.post("/console/token/key_x/enabled", elsewhere), "/console/token");
  assertEquals((await getApiKey(console.store, "key_x"))?.enabled, true);
});

testConsole("delete: asked in words on a page, then gone", async (console) => {
  await addKey(console.store, { id: "key_x", name: "ci" });
  const browser = await console.signedIn(administrator);
  const asked = await browser.get("/console/token/key_x/delete");
  assertStringIncludes(textOf(asked.html), "Delete ci?");
  assertEquals((await listApiKeys(console.store)).length, 1);
  assertRedirect(await browser.post("/console/token/key_x/delete", {}), "/console/token");
  assertEquals(await getApiKey(console.store, "key_x"), undefined);
  assertStringIncludes(textOf((await browser.get("/console/token")).html), "ci is deleted.");
  assertEquals((await browser.post("/console/token/key_x/delete", {})).status, 404);
});

testConsole("a key of the configuration is read-only and says so", async (console) => {
  await addKey(console.store, { id: "key_x", name: "declared", origin: "config" });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/token");
  assertStringIncludes(html, "Config file");
  assert(!html.includes("Actions for declared"));
  assertEquals((await browser.get("/console/token/key_x/delete")).status, 403);
  assertEquals((await browser.post("/console/token/key_x/delete", {})).status, 403);
  const off = await browser.post("/console/token/key_x/enabled", { enabled: "false" });
  assertEquals(off.status, 403);
  assertEquals((await getApiKey(console.store, "key_x"))?.enabled, true);
});

testConsole("the list says why it is empty, and what to do", async (console) => {
  const browser = await console.signedIn(administrator);
  const empty = textOf((await browser.get("/console/token")).html);
  assertStringIncludes(empty, "You have no keys yet");
  await addKey(console.store, { name: "ci" });
  const none = textOf((await browser.get("/console/token?q=nothing")).html);
  assertStringIncludes(none, "No keys match");
  assertStringIncludes(none, "0 of 1 key");
});

testConsole("the list filters and sorts by its address", async (console) => {
  const { store } = console;
  await addKey(store, { name: "beta", createdAtMs: nowMs - 3 * day, expiresAtMs: nowMs + day });
  await addKey(store, { name: "Alpha", createdAtMs: nowMs - 2 * day, enabled: false });
  const used = await addKey(store, { name: "gamma", createdAtMs: nowMs - day });
  await noteApiKeyUse(store, new Map([[used.id, nowMs - 1_000]]));
  await addKey(store, { name: "delta", createdAtMs: nowMs - 4 * day, expiresAtMs: nowMs });
  await addKey(store, { name: "lost", createdAtMs: nowMs - 5 * day, groupId: "gone" });
  const browser = await console.signedIn(administrator);
  for (
    const [query, names] of [
      ["", ["gamma", "Alpha", "beta", "delta", "lost"]],
      ["?sort=name", ["Alpha", "beta", "delta", "gamma", "lost"]],
      ["?sort=-name", ["lost", "gamma", "delta", "beta", "Alpha"]],
      ["?sort=-used", ["gamma", "Alpha", "beta", "delta", "lost"]],
      ["?sort=expires", ["delta", "beta", "gamma", "Alpha", "lost"]],
      ["?sort=nonsense&status=nonsense", ["gamma", "Alpha", "beta", "delta", "lost"]],
      ["?sort=constructor", ["gamma", "Alpha", "beta", "delta", "lost"]],
      ["?status=active", ["gamma", "beta"]],
      ["?status=expiring", ["beta"]],
      ["?status=expired", ["delta"]],
      ["?status=disabled", ["Alpha"]],
      ["?status=groupless", ["lost"]],
      ["?q=ALPH", ["Alpha"]],
      ["?q=elta&sort=name", ["delta"]],
      ["?q=ta&status=expired", ["delta"]],
      [`?q=${used.lastFour}`, ["gamma"]],
    ] as const
  ) {
    assertEquals(await namesAt(browser, `/console/token${query}`), [...names], query);
  }
});

testConsole("a store that fails leaves the page standing", async (console) => {
  const browser = await console.signedIn(administrator);
  const failing = failAt(console.store.kv, "list");
  const { status, html } = await browser.get("/console/token");
  failing.restore();
  assertEquals(status, 200);
  assertStringIncludes(textOf(html), "Could not load your keys");
  assertStringIncludes(
    textOf(html),
    "Find the cause in the server's log at 2026-11-21 08:40:15 UTC.",
  );
});

const asData = { accept: "application/json", "sec-fetch-site": "same-origin" };

async function namesAt(browser: TestBrowser, path: string): Promise<string[]> {
  const { html } = await browser.get(path);
  return [...html.matchAll(/class="name[^"]*"><span><a[^>]*>([^<]*)/g)].map(([, name]) => name);
}

/** Makes a method of the database throw, as it does when the disk is gone. */
function failAt(kv: Store["kv"], method: "list"): { restore(): void } {
  const real = kv[method];
  const log = console.error;
  console.error = () => {};
  kv[method] = () => {
    throw new Error("disk I/O error");
  };
  return {
    restore: () => {
      kv[method] = real;
      console.error = log;
    },
  };
}
