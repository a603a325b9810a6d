import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { GatewayDeps } from "../../lib/gateway/dependencies.ts";
import { reserve, route } from "../../lib/gateway/stages.ts";
import { newCall } from "../../lib/http/call.ts";
import { decode } from "../../lib/http/decode.ts";
import { assertNothingHeld } from "../e2e/faults/settled.ts";
import { startGateway, testKey } from "../e2e/gateway.ts";

const model = "tessera-echo";

Deno.test("reserve: nothing stays set aside for who leaves as it is", async () => {
  await using running = await startGateway({
    models: [{ id: model, price: { input: 1, output: 1 } }],
    keys: [{
      name: "test",
      group: "default",
      value: testKey,
      budget: { usd: 1, period: "total" },
    }],
  });
  const leaving = new AbortController();
  const gateway = leftDuringReserve(running.parts.gateway, leaving);
  const call = callOf(leaving.signal);
  const caller = await gateway.identify(call);
  const decoded = await decode(call, gateway.limits);
  const candidates = await route({ call, caller, decoded }, gateway);
  const error = await assertRejects(
    async () => await reserve({ call, caller, decoded, candidates }, gateway),
    GatewayError,
  );
  assertEquals(error.code, "client_closed");
  await assertNothingHeld(running);
});

const longText = "The quick brown fox jumps over the lazy dog. ".repeat(4_400);
const picture = { type: "image_url", image_url: { url: "https://example.test/a.png" } };
const spaciousUsd = 18 * (longText.length + 2_000) / 1_000_000; // at one dollar per million tokens

const prompts: readonly {
  readonly name: string;
  readonly usd: number;
  readonly content?: unknown;
  /** Bounds of the reserved amount, in tokens of a body's bytes. */
  readonly share: readonly [least: number, most: number];
}[] = [
  { name: "by its length if the budget pays for 16 of them", usd: spaciousUsd, share: [1, 1.02] },
  {
    name: "by its length if it is short",
    usd: spaciousUsd,
    content: longText.slice(0, 3_000),
    share: [1, 1.05],
  },
  { name: "by an estimate if the budget pays for fewer", usd: spaciousUsd / 2, share: [0.3, 0.6] },
  { name: "by an estimate if the budget pays just for two", usd: 0.16, share: [0.3, 0.6] },
  {
    name: "by an estimate if it has a picture",
    usd: spaciousUsd,
    content: [{ type: "text", text: longText }, picture],
    share: [0.3, 0.6],
  },
];

for (const { name, usd, content = longText, share: [least, most] } of prompts) {
  Deno.test(`reserve: a prompt takes money ${name}`, async () => {
    await using running = await startGateway({
      models: [{ id: model, price: { input: 1, output: 1 } }],
      keys: [{ name: "test", value: testKey, budget: { usd, period: "total" } }],
    });
    const send = (request: Request) => fetch(running.base + new URL(request.url).pathname, request);
    await (await send(requestOf(content))).body?.cancel(); // its usage is known, and more is leased
    const { gateway } = running.parts;
    const call = callOf(new AbortController().signal, content);
    const caller = await gateway.identify(call);
    const decoded = await decode(call, gateway.limits);
    const candidates = await route({ call, caller, decoded }, gateway);
    const hold = await reserve({ call, caller, decoded, candidates }, gateway);
    const [money] = hold.shares.filter(({ lease }) => lease.kind === "money");
    const part = Number(money.reserved) / 1_000 / decoded.read.text.length;
    assert(part >= least && part <= most, `${part}`);
    gateway.ledger.release(hold);
    const answer = await send(requestOf(content));
    assertEquals([answer.status, (await answer.text()).includes("error")], [200, false]);
  });
}

/** A gateway whose caller leaves between the end of the reservation and what follows. */
function leftDuringReserve(gateway: GatewayDeps, leaving: AbortController): GatewayDeps {
  const { ledger } = gateway;
  return {
    ...gateway,
    ledger: {
      recentTokens: (caller, model) => ledger.recentTokens(caller, model),
      reserveIfPlenty: (estimate) => ledger.reserveIfPlenty(estimate),
      release: (hold) => ledger.release(hold),
      vacate: (hold) => ledger.vacate(hold),
      watch: (hold, row) => ledger.watch(hold, row),
      settle: (row, hold) => ledger.settle(row, hold),
      reserve: async (estimate, signal) => {
        const hold = await ledger.reserve(estimate, signal);
        leaving.abort();
        return hold;
      },
    },
  };
}

function callOf(signal: AbortSignal, content?: unknown) {
  const codec = codecs["chat-completions"];
  const request = requestOf(content, signal);
  const match = { codec, endpoint: codec.endpoints[0], wirePath: "/chat/completions" };
  const url = new URL(request.url);
  return newCall({ request, url, nowMs: Date.now(), ip: "127.0.0.1" }, match);
}

function requestOf(content: unknown = "hello", signal?: AbortSignal): Request {
  return new Request("http://localhost/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content }] }),
    ...signal && { signal },
  });
}
