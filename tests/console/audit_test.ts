import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createBatch } from "../../lib/funds/mod.ts";
import { createAuditEntry, listAuditEntries, type Store } from "../../lib/store/mod.ts";
import { addKey, administrator, member, nowMs, testConsole, textOf } from "./console.ts";

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
  assertStringIncludes(textOf(empty.html), "Nothing was changed yet");
  for (let n = 0; n < 60; n++) await note(console.store, n);
  const first = await browser.get("/console/admin/audit");
  const text = textOf(first.html);
  assertStringIncludes(text, "owner@example.com Changed API key &lt;b>target 59&lt;/b>");
  assertStringIncludes(
    text,
    "Role: member → administrator Expires: 2026-12-01 → nothing “as asked”",
  );
  assertStringIncludes(text, "203.0.113.9");
  const older = first.html.match(/\/console\/admin\/audit\?before=\w+/)?.[0] ?? "";
  const second = textOf((await browser.get(older)).html);
  assertStringIncludes(second, "target 9&lt;");
  assertStringIncludes(second, "Newest");
  const keys = textOf((await browser.get("/console/admin/audit?kind=key&q=TARGET_5")).html);
  assert(keys.includes("target 59") && keys.includes("target 5&") && !keys.includes("target 58"));
  const none = textOf((await browser.get("/console/admin/audit?action=deleted")).html);
  assertStringIncludes(none, "No entries match");
  assertEquals((await browser.get("/console/admin/audit?before=%00'&kind=x")).status, 200);
});
