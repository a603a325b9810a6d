import { assert, assertEquals } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { createEndpoint } from "../../../lib/store/webhooks/mod.ts";
import { type EventType, eventTypes, newEndpoint } from "../../../lib/webhooks/mod.ts";
import { until } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";

Deno.test("webhooks: a real gateway reports failed calls, an upstream that is down and a limit", async () => {
  await using upstream = startUpstream(() => new Response("no", { status: 500 }));
  let attempts = 0;
  await using receiver = startUpstream(() =>
    new Response(null, { status: ++attempts === 1 ? 503 : 204 })
  );
  const key = "sk-events-0123456789abcdefghij";
  await using gateway = await startGateway({
    ...oneUpstream({ "chat-completions": upstream.base }),
    keys: [{ name: "ci", value: key, limits: { requestsPerMinute: 20 } }],
    allowPrivateUpstreams: true,
  });
  const { store } = gateway.parts;
  const settings = { url: `${receiver.base}/hook`, types: ["*" as const], description: "" };
  const endpoint = newEndpoint(settings, Date.now());
  assert(await createEndpoint(store, endpoint));
  for (let call = 0; call < 30; call++) {
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "the prompt" }] }),
    });
    await response.body?.cancel();
  }
  const types = () => new Set(receiver.seen.slice(1).map(({ body }) => JSON.parse(body).type));
  const wanted: EventType[] = ["call.failed", "limit.reached", "upstream.down"];
  await until(() => wanted.every((type) => types().has(type)), "an event is missing", 30_000);
  for (const { body, headers } of receiver.seen) {
    const event = new Webhook(endpoint.secret).verify(body, Object.fromEntries(headers)) as {
      readonly type: EventType;
      readonly data: object;
    };
    eventTypes[event.type].data.strict().parse(event.data);
    assert(!body.includes("the prompt") && !body.includes(key));
  }
  const ids = receiver.seen.slice(1).map(({ headers }) => headers.get("webhook-id"));
  assertEquals(new Set(ids).size, ids.length, "each event arrives once");
  assert(ids.includes(receiver.seen[0].headers.get("webhook-id")), "the refused one came again");
});
