import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import {
  addressEvent,
  claimDelivery,
  createEndpoint,
  endClaim,
  getDelivery,
  getEndpoint,
  listEndpoints,
  listOutbox,
  postEvent,
  type WebhookEndpoint,
} from "../../../lib/store/webhooks/mod.ts";
import { newEndpoint } from "../../../lib/webhooks/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, nowMs } from "../people.ts";

const path = "/console/admin/webhooks";
const url = "https://hooks.example.com/tessera?token=s3cr3t";

async function addEndpoint(store: Store): Promise<WebhookEndpoint> {
  const endpoint = newEndpoint({ url, types: ["*"], description: "Ops" }, nowMs);
  assert(await createEndpoint(store, endpoint));
  return endpoint;
}

testConsole("webhooks: adding one shows its secret once", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  const added = await browser.post(`${path}/new`, {
    url,
    types: "call.failed",
    description: "Ops",
  });
  const [endpoint] = await listEndpoints(store);
  assertRedirect(added, `${path}/${endpoint.id}?done=created`);
  assertMatch(endpoint.secret, /^whsec_[\w+/]{43}=$/);
  const first = await browser.get(`${path}/${endpoint.id}`);
  assertStringIncludes(first.html, endpoint.secret);
  const again = await browser.get(`${path}/${endpoint.id}`);
  assert(!again.html.includes(endpoint.secret), "the secret is shown once");
  assertStringIncludes(textOf(again.html), "No deliveries yet");
  assert(!textOf(again.html).includes("s3cr3t"), "only the form has the whole address");
  const { html } = await browser.get(path);
  assertStringIncludes(textOf(html), "1 webhook");
  assertStringIncludes(textOf(html), "1 type");
  assert(!html.includes("s3cr3t"), "the query may hold a token");
  const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
  assertEquals([entry.kind, entry.action, entry.targetName], [
    "webhook",
    "created",
    "hooks.example.com",
  ]);
  assert(!JSON.stringify(entry).includes("s3cr3t") && !JSON.stringify(entry).includes("whsec_"));
});

const faults = [
  { form: { url: "hooks.example.com", types: "*" }, says: "Enter an address that begins" },
  { form: { url: "https://127.0.0.1/", types: "*" }, says: "belongs to a private network" },
  { form: { url: "https://metadata.google.internal/", types: "*" }, says: "private network" },
  { form: { url }, says: "Choose at least one event" },
  { form: { url, types: "key.exploded" }, says: "Choose at least one event" },
  { form: { url, types: "*", description: "x".repeat(201) }, says: "at most 200 characters" },
];

for (const { form, says } of faults) {
  testConsole(`webhooks: the form says ${says}`, async (console) => {
    const browser = await console.signedIn(administrator);
    const refused = await browser.post(`${path}/new`, form as Record<string, string>);
    assertEquals(refused.status, 422);
    assertStringIncludes(textOf(refused.html), says);
    assertEquals(await listEndpoints(console.store), []);
  });
}

testConsole("webhooks: settings, rotation, a pause and deletion", async (console) => {
  const { store } = console;
  const { id, secret } = await addEndpoint(store);
  const browser = await console.signedIn(administrator);
  await browser.post(`${path}/${id}`, { url, types: "balance.low", description: "" });
  assertEquals((await getEndpoint(store, id))?.types, ["balance.low"]);
  await browser.post(`${path}/${id}/rotate`, {});
  const rotated = await getEndpoint(store, id);
  assert(rotated && rotated.secret !== secret);
  assertEquals(rotated.previous?.secret, secret);
  await browser.post(`${path}/${id}/enabled`, { enabled: "false" });
  assertStringIncludes(textOf((await browser.get(`${path}/${id}`)).html), "Disabled");
  await browser.post(`${path}/${id}/enabled`, { enabled: "true" });
  assertEquals((await getEndpoint(store, id))?.enabled, true);
  assertRedirect(await browser.post(`${path}/${id}/delete`, {}), `${path}?done=deleted`);
  assertEquals(await listEndpoints(store), []);
  const { entries } = await listAuditEntries(store, { filter: { kind: "webhook" }, limit: 9 });
  const actions = ["deleted", "enabled", "disabled", "rotated", "changed"];
  assertEquals(entries.map(({ action }) => action).sort(), actions.toSorted());
});

testConsole(
  "webhooks: deliveries are shown with their attempts, and sent again",
  async (console) => {
    const { store } = console;
    const { id } = await addEndpoint(store);
    const event = {
      id: "evt_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
      type: "upstream.down",
      atMs: nowMs,
      body: JSON.stringify({ type: "upstream.down", data: { message: "acme is down" } }),
    };
    await postEvent(store, event);
    const [taken] = await listOutbox(store);
    await addressEvent(store, taken, { event, endpointIds: [id], nowMs });
    const claimed = await claimDelivery(store, id, { nowMs, claimMs: 60_000 });
    assert(claimed);
    const attempt = { atMs: nowMs, durationMs: 1_234, status: 503, fault: "It failed" };
    await endClaim(store, claimed, { state: "abandoned", attempts: 10, attempt, nowMs });
    const browser = await console.signedIn(administrator);
    const list = textOf((await browser.get(`${path}/${id}`)).html);
    for (const text of ["Upstream down", "Failed, given up", "HTTP 503"]) {
      assertStringIncludes(list, text);
    }
    const page = `${path}/${id}/deliveries/${event.id}`;
    const detail = textOf((await browser.get(page)).html);
    const up = "hooks.example.com/tessera?…";
    for (const text of ["acme is down", "1,234 ms", event.id, up]) {
      assertStringIncludes(detail, text);
    }
    assertRedirect(await browser.post(page, {}), `${path}/${id}?done=again`);
    const delivery = await getDelivery(store, id, event.id);
    assertEquals([delivery?.state, delivery?.attempts], ["waiting", 0]);
    assertEquals((await browser.get(`${path}/${id}/deliveries/evt_404`)).status, 404);
  },
);

testConsole("webhooks: a test says how the server answered", async (console) => {
  const { id } = await addEndpoint(console.store);
  const browser = await console.signedIn(administrator);
  assertEquals((await browser.post(`${path}/${id}/test`, {})).status, 404);
  const services = adminServices();
  assert(services);
  let answer: "delivered" | "answered-503" = "delivered";
  provideAdmin({ ...services, alerts: { test: () => Promise.resolve(answer) } });
  await browser.post(`${path}/${id}/test`, {});
  assertStringIncludes(textOf((await browser.get(`${path}/${id}`)).html), "Test event delivered.");
  answer = "answered-503";
  await browser.post(`${path}/${id}/test`, {});
  const failed = textOf((await browser.get(`${path}/${id}`)).html);
  assertStringIncludes(failed, "Test event not delivered: The server returned 503.");
});

testConsole(
  "webhooks: an endpoint that was disabled says why, in both languages",
  async (console) => {
    const { store } = console;
    const endpoint = { ...await addEndpoint(store), id: "whe_0123456789012345678901" };
    await createEndpoint(store, { ...endpoint, enabled: false, disabledBecause: "failing" });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get(`${path}/${endpoint.id}`);
    assertStringIncludes(
      textOf(html),
      "disabled this webhook because all attempts failed for 5 days",
    );
    const chinese = await browser.get(`${path}/${endpoint.id}`, { "accept-language": "zh-CN" });
    assertStringIncludes(textOf(chinese.html), "所有尝试连续失败 5 天");
  },
);

testConsole("webhooks: the one of the configuration is listed and read-only", async (console) => {
  const services = adminServices();
  assert(services);
  const webhook = { url, secret: "whsec_x" };
  const alerts = { thresholds: [], lowBalanceNanoUsd: 0n, webhook };
  provideAdmin({ ...services, config: { ...services.config, alerts } });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(path);
  assertStringIncludes(textOf(html), "Config file");
  assert(!html.includes("s3cr3t") && !html.includes("whsec_"));
  const page = await browser.get(`${path}/configuration`);
  assertStringIncludes(textOf(page.html), "alerts.webhook");
  assertEquals((await browser.post(`${path}/configuration`, { url, types: "*" })).status, 404);
  assertEquals((await browser.post(`${path}/configuration/delete`, {})).status, 404);
});
