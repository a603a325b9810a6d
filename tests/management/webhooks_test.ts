import { assert, assertEquals, assertMatch } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import {
  addressEvent,
  claimDelivery,
  endClaim,
  getEndpoint,
  listOutbox,
  postEvent,
} from "../../lib/store/webhooks/mod.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { startApi } from "./api.ts";

const url = "https://hooks.example.com/tessera";

Deno.test("management: a webhook is added, changed, rotated, paused and deleted, each with its entry", async () => {
  await using api = await startApi();
  const body = { url, types: ["call.failed", "key.created"], description: "Ops" };
  const added = await api.ask("POST", "/webhooks", { body });
  assertEquals(added.status, 201, JSON.stringify(added.body));
  const { id, secret, ...rest } = added.body;
  assertMatch(secret, /^whsec_/);
  const { created_at: _, ...fields } = rest;
  assertEquals(fields, {
    url,
    types: ["key.created", "call.failed"],
    format: "event",
    description: "Ops",
    enabled: true,
    disabled_because: null,
    failing_since: null,
    previous_secret_ends_at: null,
  });
  const read = await api.ask("GET", `/webhooks/${id}`);
  assertEquals(read.body.secret, undefined, "the secret is shown once");
  const etag = read.headers.get("etag") ?? "";
  const changed = await api.ask("PATCH", `/webhooks/${id}`, {
    body: { types: ["*"] },
    headers: { "if-match": etag },
  });
  assertEquals([changed.body.types, changed.body.url], [["*"], url]);
  const stale = await api.ask("DELETE", `/webhooks/${id}`, { headers: { "if-match": etag } });
  assertEquals([stale.status, stale.body.error.code], [412, "object_changed"]);
  const rotated = await api.ask("POST", `/webhooks/${id}/rotate`);
  assert(rotated.body.secret !== secret && rotated.body.previous_secret_ends_at !== null);
  assertEquals((await getEndpoint(api.store, id))?.previous?.secret, secret);
  assertEquals((await api.ask("POST", `/webhooks/${id}/disable`)).body.enabled, false);
  assertEquals((await api.ask("POST", `/webhooks/${id}/enable`)).body.enabled, true);
  assertEquals((await api.ask("GET", "/webhooks")).body.data.length, 1);
  assertEquals((await api.ask("DELETE", `/webhooks/${id}`)).status, 204);
  assertEquals((await api.ask("GET", `/webhooks/${id}`)).status, 404);
  const { entries } = await listAuditEntries(api.store, { filter: { kind: "webhook" }, limit: 9 });
  const actions = ["changed", "created", "deleted", "disabled", "enabled", "rotated"];
  assertEquals(entries.map(({ action }) => action).sort(), actions);
});

const wrong = [
  { body: { types: ["*"] }, param: "url" },
  { body: { url, types: [] }, param: "types" },
  { body: { url, types: ["key.exploded"] }, param: "types[0]" },
  { body: { url: "http://192.168.0.1/", types: ["*"] }, param: "url" },
  { body: { url: "ftp://hooks.example.com/", types: ["*"] }, param: "url" },
  { body: { url, types: ["*"], secret: "whsec_x" }, param: "secret" },
];

for (const { body, param } of wrong) {
  Deno.test(`management: a webhook with ${JSON.stringify(body)} is refused`, async () => {
    await using api = await startApi();
    const refused = await api.ask("POST", "/webhooks", { body });
    assertEquals(
      [refused.status, refused.body.error.param],
      [400, param],
      refused.body.error.message,
    );
    assertEquals((await api.ask("GET", "/webhooks")).body.data, []);
  });
}

Deno.test("management: a webhook is tested, and its deliveries are listed and sent again", async () => {
  await using receiver = startUpstream(() => new Response());
  await using api = await startApi({ allowPrivateUpstreams: true });
  const body = { url: `${receiver.base}/hook`, types: ["key.created"] };
  const { body: { id } } = await api.ask("POST", "/webhooks", { body });
  assertEquals((await api.ask("POST", `/webhooks/${id}/test`)).body, { result: "delivered" });
  const event = { id: "evt_01KAJ9V3M8WZ5X7Q2C4N6B8D0F", type: "key.created", atMs: 1, body: "{}" };
  await postEvent(api.store, event);
  const [taken] = await listOutbox(api.store);
  const nowMs = Date.now();
  await addressEvent(api.store, taken, { event, endpointIds: [id], nowMs });
  const claimed = await claimDelivery(api.store, id, { nowMs, claimMs: 60_000 });
  assert(claimed);
  const attempt = { atMs: nowMs, durationMs: 3, status: 500, fault: "It failed" };
  await endClaim(api.store, claimed, { state: "abandoned", attempts: 10, attempt, nowMs });
  const { body: { data: [delivery] } } = await api.ask("GET", `/webhooks/${id}/deliveries`);
  assertEquals([delivery.type, delivery.state, delivery.attempts[0].status], [
    "key.created",
    "abandoned",
    500,
  ]);
  const path = `/webhooks/${id}/deliveries/${delivery.event_id}`;
  assertEquals((await api.ask("GET", path)).body, delivery);
  const again = await api.ask("POST", `${path}/retry`);
  assertEquals([again.status, again.body.state], [200, "waiting"]);
  assertEquals((await api.ask("GET", `/webhooks/${id}/deliveries/evt_404`)).status, 404);
});

Deno.test("management: a token without the scope changes no webhook", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["webhooks:read"] });
  const refused = await api.ask("POST", "/webhooks", { body: { url, types: ["*"] }, token });
  assertEquals([refused.status, refused.body.error.code], [403, "scope_missing"]);
  assertEquals((await api.ask("GET", "/webhooks", { token })).status, 200);
});
