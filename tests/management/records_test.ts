import { assert, assertEquals, assertMatch } from "@std/assert";
import { firstOrderedId } from "../../lib/store/kv/id.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { readSettings } from "../../lib/store/catalog/mod.ts";
import { administrator } from "../console/people.ts";
import { startApi } from "./api.ts";

Deno.test("management: settings are changed field by field, with one audit entry", async () => {
  await using api = await startApi();
  const { body: before } = await api.ask("GET", "/settings");
  assertEquals(before.sign_up, "invitation");
  assertEquals(before.compaction_prompt, "");
  const change = {
    site_name: " Acme ",
    sign_up_domains: ["@Example.com", "example.com"],
    compaction_prompt: "Write the minutes.",
  };
  const { status, body, headers } = await api.ask("PATCH", "/settings", { body: change });
  assertEquals([status, body], [200, {
    ...before,
    site_name: "Acme",
    sign_up_domains: ["example.com"],
    compaction_prompt: "Write the minutes.",
  }]);
  assertEquals((await readSettings(api.store)).siteName, "Acme");
  assertEquals((await api.ask("GET", "/settings")).headers.get("etag"), headers.get("etag"));
  const { entries } = await listAuditEntries(api.store, { limit: 9 });
  assertEquals(entries.map(({ kind, action, changes }) => [kind, action, changes.length]), [
    ["settings", "changed", 3],
  ]);
  assertMatch(entries[0].actorName, /^test \(API token of owner@example.com\)$/);
});

const wrongSettings = [
  [{ site_name: "" }, "site_name"],
  [{ site_name: "a\nb" }, "site_name"],
  [{ time_zone: "Mars/Olympus" }, "time_zone"],
  [{ sign_up: "everyone" }, "sign_up"],
  [{ sign_up_domains: ["a b"] }, "sign_up_domains[0]"],
  [{ sign_up_domains: ["no-domain"] }, "sign_up_domains"],
  [{ public_pricing: "yes" }, "public_pricing"],
  [{ notice: "x".repeat(1_001) }, "notice"],
  [{ compaction_prompt: "x".repeat(16_385) }, "compaction_prompt"],
] as const;

for (const [body, param] of wrongSettings) {
  Deno.test(`management: settings refuse ${JSON.stringify(body).slice(0, 50)}`, async () => {
    await using api = await startApi();
    const before = await readSettings(api.store);
    const answer = await api.ask("PATCH", "/settings", { body });
    assertEquals([answer.status, answer.body.error.param], [400, param]);
    assertEquals(await readSettings(api.store), before);
    assertEquals((await listAuditEntries(api.store, { limit: 9 })).entries, []);
  });
}

Deno.test("management: settings changed meanwhile are not overwritten", async () => {
  await using api = await startApi();
  const etag = (await api.ask("GET", "/settings")).headers.get("etag") ?? "";
  const ask = (notice: string) =>
    api.ask("PATCH", "/settings", { body: { notice }, headers: { "if-match": etag } });
  const statuses = (await Promise.all(["a", "b"].map(ask))).map(({ status }) => status);
  assertEquals(statuses.sort(), [200, 412]);
});

Deno.test("management: the audit log is paged, filtered and read by entry", async () => {
  await using api = await startApi();
  for (let n = 0; n < 5; n++) await api.ask("PATCH", "/settings", { body: { notice: `n${n}` } });
  const first = await api.ask("GET", "/audit?limit=3&kind=settings");
  assertEquals(first.body.data.length, 3);
  const cursor = encodeURIComponent(first.body.next_cursor);
  const second = await api.ask("GET", `/audit?limit=3&kind=settings&cursor=${cursor}`);
  const after = [...first.body.data, ...second.body.data].map(({ changes }) => changes[0].after);
  assertEquals(after, ["n4", "n3", "n2", "n1", "n0"]);
  assertEquals(second.body.next_cursor, null);
  const [entry] = first.body.data;
  assertEquals((await api.ask("GET", `/audit/${entry.id}`)).body, entry);
  assertEquals(entry.actor.name, `test (API token of ${administrator.email})`);
  const none = await api.ask("GET", "/audit?kind=key");
  assertEquals(none.body, { data: [], next_cursor: null });
  const wrong = await api.ask("GET", "/audit?kind=nothing&limit=3");
  assertEquals([wrong.status, wrong.body.error.param], [400, "kind"]);
  assertEquals((await api.ask("GET", `/audit/${firstOrderedId(0)}`)).status, 404);
});

Deno.test("management: a list of alerts is empty, and its webhook is tested if there is one", async () => {
  await using api = await startApi();
  assertEquals((await api.ask("GET", "/alerts")).body, { data: [], next_cursor: null });
  assertEquals((await api.ask("GET", "/alerts?active=true")).body.data, []);
  const { status, body } = await api.ask("POST", "/alerts/test");
  assertEquals([status, body.error.code], [404, "object_not_found"]);
  assert(body.error.message.includes("alerts.webhook"));
});
