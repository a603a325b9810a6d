import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { provideAdmin } from "../../../lib/admin/services.ts";
import { loadConfig } from "../../../lib/config.ts";
import { createBatch } from "../../../lib/funds/mod.ts";
import { createAuditEntry, listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addKey } from "../records.ts";

async function note(store: Store, n: number): Promise<void> {
  await createAuditEntry(store, {
    atMs: nowMs - 1_000 + n,
    actorId: administrator.id,
    actorName: administrator.email,
    kind: n % 2 ? "key" : "group",
    action: "changed",
    targetId: `target_${n}`,
    targetName: `<b>target ${n}</b>`,
    changes: [{ field: "role", before: "member", after: "administrator" }, {
      field: "expires",
      before: "2026-12-01",
    }],
    reason: "as asked",
    ip: "203.0.113.9",
  });
}

testConsole(
  "audit: what is done with keys is written down, without their secrets",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(member);
    await browser.post("/console/token/new", { name: "laptop", group: "default", expiry: "never" });
    const { id } = await addKey(store, { accountId: member.id, name: "ci" });
    await browser.post(`/console/token/${id}/enabled`, { enabled: "false" });
    await browser.post(`/console/token/${id}/enabled`, { enabled: "true" });
    await browser.post(`/console/token/${id}/delete`, {});
    await browser.post(`/console/token/${id}/delete`, {});
    const { entries } = await listAuditEntries(store, { limit: 9 });
    assertEquals(
      entries.map(({ action, targetName }) => `${targetName} ${action}`).toSorted(),
      ["ci deleted", "ci disabled", "ci enabled", "laptop created"],
    );
    for (const { actorId, actorName, ip, kind } of entries) {
      assertEquals([actorId, actorName, ip, kind], [member.id, member.email, "203.0.113.7", "key"]);
    }
    assert(!/sk-/.test(JSON.stringify(entries)));
  },
);

testConsole(
  "audit: a code that was redeemed is written down as what is shown of it",
  async (console) => {
    const { store } = console;
    const draft = { name: "spring", amountNanoUsd: 2_000_000_000n, count: 1, usesMax: 1 };
    const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 1 });
    assert(made.type === "created");
    const browser = await console.signedIn(member);
    await browser.post("/console/topup/redeem", { code: "nonsense" });
    await browser.post("/console/topup/redeem", { code: made.codes[0] });
    const { entries } = await listAuditEntries(store, { limit: 9 });
    assertEquals(entries.length, 1);
    assertEquals([entries[0].kind, entries[0].action], ["code", "redeemed"]);
    assertEquals(entries[0].changes, [{ field: "amount", after: "$2" }]);
    assert(!JSON.stringify(entries).includes(made.codes[0]));
  },
);

testConsole("audit: the page shows entries, pages and filters them", async (console) => {
  const browser = await console.signedIn(administrator);
  const empty = await browser.get("/console/admin/audit");
  assertStringIncludes(textOf(empty.html), "No changes yet");
  for (let n = 0; n < 60; n++) await note(console.store, n);
  const first = await browser.get("/console/admin/audit");
  const text = textOf(first.html);
  assertStringIncludes(text, "owner@example.com Changed API key &lt;b>target 59&lt;/b>");
  assertStringIncludes(
    text,
    "Role: member → administrator Expires: 2026-12-01 → empty “as asked”",
  );
  assertStringIncludes(text, "203.0.113.9");
  const older = first.html.match(/\/console\/admin\/audit\?before=\w+/)?.[0] ?? "";
  const second = textOf((await browser.get(older)).html);
  assertStringIncludes(second, "target 9&lt;");
  assertStringIncludes(second, "First page");
  const keys = textOf((await browser.get("/console/admin/audit?kind=key&q=TARGET_5")).html);
  assert(keys.includes("target 59") && keys.includes("target 5&") && !keys.includes("target 58"));
  const none = textOf((await browser.get("/console/admin/audit?action=deleted")).html);
  assertStringIncludes(none, "No entries match");
  assertEquals((await browser.get("/console/admin/audit?before=%00'&kind=x")).status, 200);
});

testConsole("audit: filters by who and by days of the reader's zone compose", async (console) => {
  const browser = await console.signedIn(administrator);
  await note(console.store, 0);
  const other = { actorId: "usr_other", actorName: "lea@example.com", ip: "203.0.113.8" };
  await createAuditEntry(console.store, {
    ...other,
    atMs: Date.UTC(2026, 10, 20, 23, 30),
    kind: "user",
    action: "disabled",
    targetId: "usr_x",
    targetName: "gone@example.com",
    changes: [],
  });
  const shown = async (query: string) => {
    const text = textOf((await browser.get(`/console/admin/audit?${query}`)).html);
    return [text.includes("target 0"), text.includes("gone@example.com")];
  };
  assertEquals(await shown(""), [true, true]);
  assertEquals(await shown("actor=LEA"), [false, true]);
  assertEquals(await shown("actor=owner"), [true, false]);
  assertEquals(await shown("since=2026-11-21"), [true, false]);
  assertEquals(await shown("until=2026-11-20"), [false, true]);
  assertEquals(await shown("since=2026-11-20&until=2026-11-21&q=target"), [true, false]);
  assertEquals(await shown("since=2026-02-31&until=yesterday"), [true, true]);
  browser.cookies.set("tessera_zone", "Europe/Berlin"); // there it was the 21st already
  assertEquals(await shown("since=2026-11-21"), [true, true]);
});

testConsole("audit: an entry has a page with each field before and after", async (console) => {
  const browser = await console.signedIn(administrator);
  await note(console.store, 1);
  const list = await browser.get("/console/admin/audit?kind=key&q=target");
  const path = /\/console\/admin\/audit\/\w{26}\?[^"]*/.exec(list.html)?.[0].replace("&amp;", "&");
  const { status, html } = await browser.get(path ?? "");
  assertEquals(status, 200);
  const text = textOf(html);
  assertStringIncludes(text, "Changed: API key &lt;b>target 1&lt;/b>");
  assertStringIncludes(text, "Role member administrator");
  assertStringIncludes(text, "Expires 2026-12-01 empty");
  assertStringIncludes(html, 'href="/console/admin/audit?kind=key&amp;q=target"');
  for (const id of ["x", "0".repeat(26), "%2e%2e"]) {
    assertEquals((await browser.get(`/console/admin/audit/${id}`)).status, 404);
  }
  assertEquals((await (await console.signedIn(member)).get(path ?? "")).status, 403);
});

testConsole("audit: the export has every entry of the filter, and no formula", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  for (let n = 0; n < 120; n++) await note(store, n);
  await createAuditEntry(store, {
    atMs: nowMs,
    actorId: "usr_x",
    actorName: "=cmd|'/c calc'!A1",
    kind: "key",
    action: "deleted",
    targetId: "key_1",
    targetName: 'a "b", c',
    changes: [],
  });
  const { headers, html } = await browser.get("/console/admin/audit/export?kind=key");
  assertEquals(headers.get("content-type"), "text/csv; charset=utf-8; header=present");
  assertEquals(headers.get("content-disposition"), 'attachment; filename="audit-2026-11-21.csv"');
  const cookie = `__Host-tessera=${browser.cookies.get("__Host-tessera")}`;
  const address = "http://localhost/console/admin/audit/export";
  const whole = await console.fetch(new Request(address, { headers: { cookie } }));
  const bytes = new Uint8Array(await whole.arrayBuffer());
  assertEquals([...bytes.slice(0, 5)], [0xef, 0xbb, 0xbf, 0x69, 0x64]); // the mark of UTF-8, then "id"
  const lines = html.split("\r\n");
  assertEquals(lines.length, 1 + 61 + 1);
  assertStringIncludes(lines[1], `usr_x,'=cmd|'/c calc'!A1,deleted,key,key_1,"a ""b"", c",,,`);
  const theirs = await console.signedIn(member);
  assertEquals((await theirs.get("/console/admin/audit/export")).status, 403);
});

testConsole("audit: no more rows than the configuration says are on a page", async (console) => {
  const { store, directory, clock } = console;
  const { limits } = loadConfig({});
  const config = { limits: { ...limits, pageRowsMax: 3 } };
  provideAdmin({ store, directory, config, now: () => clock.nowMs });
  for (let n = 0; n < 5; n++) await note(store, n);
  const { html } = await (await console.signedIn(administrator)).get("/console/admin/audit");
  assertEquals(html.match(/target \d/g)?.length, 3);
});

testConsole(
  "audit: days in any order and before 1970 are a filter like others",
  async (console) => {
    const browser = await console.signedIn(administrator);
    await note(console.store, 1);
    for (const days of ["since=1969-12-31&until=1970-01-01", "since=2026-11-22&until=2026-11-20"]) {
      const { html } = await browser.get(`/console/admin/audit/export?${days}`);
      assertEquals(html.trim().split("\n").length, 1, days);
    }
    const all = await browser.get("/console/admin/audit/export?since=1000-01-01&until=2999-12-31");
    assertEquals(all.html.includes("target_1"), true);
  },
);
