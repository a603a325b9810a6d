import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createModel, createUpstream, getModel } from "../../../lib/store/catalog/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall } from "../records.ts";
import { sample, withGateway } from "../upstreams/upstream_scene.ts";

const path = "/console/pricing/virtual";
const form = { name: "smart", members: "gpt-5 share=10\r\ngpt-5-mini after=outage" };
const members = [
  { model: "gpt-5", sharePercent: 10 },
  { model: "gpt-5-mini", causes: ["outage"] },
] as const;

testConsole("virtual models: one is set, listed, explained and deleted", async (console) => {
  const { store } = console;
  withGateway(console);
  await createUpstream(store, sample({ models: [{ id: "gpt-5" }, { id: "gpt-5-mini" }] }));
  const browser = await console.signedIn(administrator);
  assertRedirect(await browser.post(path, form), `${path}?done=saved`);
  assertEquals((await getModel(store, "smart"))?.members, members);
  const page = textOf((await browser.get(`${path}?done=saved`)).html);
  assertStringIncludes(page, "Virtual model saved.");
  assertStringIncludes(page, "smart gpt-5 share=10 gpt-5-mini after=outage");
  const [entry] = (await listAuditEntries(store, { limit: 1 })).entries;
  assertEquals(entry.changes, [
    { field: "members", after: "gpt-5 share=10\ngpt-5-mini after=outage" },
  ]);
  const route = textOf((await browser.get("/console/admin/upstreams?model=smart")).html);
  assertStringIncludes(route, "gpt-5 share=10 1 Serves");
  assertStringIncludes(route, "gpt-5-mini after=outage 2 Serves");
  const own = await console.signedIn(member);
  assertStringIncludes(textOf((await own.get("/console/pricing")).html), "smart");
  assertRedirect(
    await browser.post(`${path}?name=smart`, { ...form, intent: "delete" }),
    `${path}?done=deleted`,
  );
  assertEquals(await getModel(store, "smart"), undefined);
});

testConsole(
  "virtual models: invalid ones, declared ones and members are refused",
  async (console) => {
    const { store, directory } = console;
    const fixed = { id: "fixed", members, createdAtMs: nowMs, origin: "config" } as const;
    await createModel(store, fixed);
    await directory.refresh();
    const browser = await console.signedIn(administrator);
    for (const wrong of [{ ...form, name: "a b" }, { ...form, members: "gpt-5 share=x" }]) {
      const page = await browser.post(path, wrong);
      assertEquals(page.status, 422);
      assertStringIncludes(textOf(page.html), "Not saved. Fix the highlighted fields.");
    }
    assertEquals((await browser.post(path, { ...form, name: "fixed" })).status, 404);
    const other = await console.signedIn(member);
    assertEquals((await other.get(path)).status, 403);
    assertEquals((await other.post(path, form)).status, 403);
    assertEquals(await getModel(store, "smart"), undefined);
  },
);

testConsole(
  "virtual models: a call's page says who answered and why others did not",
  async (console) => {
    const { store } = console;
    const place = { upstreamId: "acme", upstreamModel: "acme-1", startedAfterMs: 1, durationMs: 2 };
    const { id } = await addCall(store, {
      ...callIdAt(60_000, 1),
      accountId: member.id,
      model: "gpt-5-mini",
      chain: { name: "smart", skipped: [{ model: "gpt-5", reason: "window" }] },
      attempts: [
        { ...place, model: "big", outcome: "upstream_error", errorCode: "upstream_error" },
        { ...place, model: "gpt-5-mini", outcome: "completed", status: 200 },
      ],
    });
    const browser = await console.signedIn(member);
    const { html } = await browser.get(`/console/log/${id}`);
    const page = textOf(html);
    for (
      const words of [
        "Virtual model smart",
        "gpt-5 Not tried: its context window is too small for the prompt",
        "Attempt 1: big",
        "Attempt 2: gpt-5-mini",
      ]
    ) assertStringIncludes(page, words);
    assert(!page.includes("acme"));
    assertStringIncludes((await browser.get("/console/log?q=smart")).html, id);
    assert(!(await browser.get("/console/log?q=smarter")).html.includes(id));
  },
);
