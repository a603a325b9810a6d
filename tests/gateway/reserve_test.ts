import { assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { GatewayDeps } from "../../lib/gateway/dependencies.ts";
import { reserve } from "../../lib/gateway/reserve.ts";
import { route } from "../../lib/gateway/route.ts";
import { decode } from "../../lib/http/decode.ts";
import { newCall } from "../../lib/http/new_call.ts";
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
  const caller = await gateway.whoCalls(call);
  const decoded = await decode(call, gateway.limits);
  const candidates = route({ call, caller, envelope: decoded.envelope }, gateway);
  const error = await assertRejects(
    async () => await reserve({ call, caller, decoded, candidates }, gateway),
    GatewayError,
  );
  assertEquals(error.code, "client_closed");
  await assertNothingHeld(running);
});

/** A gateway whose caller leaves between the end of the reservation and what follows. */
function leftDuringReserve(gateway: GatewayDeps, leaving: AbortController): GatewayDeps {
  const { ledger } = gateway;
  return {
    ...gateway,
    ledger: {
      recentTokens: (caller, model) => ledger.recentTokens(caller, model),
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

function callOf(signal: AbortSignal) {
  const codec = codecs["chat-completions"];
  const url = new URL("http://localhost/v1/chat/completions");
  const request = new Request(url, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
    signal,
  });
  const match = { codec, endpoint: codec.endpoints[0], wirePath: "/chat/completions" };
  return newCall({ request, url, nowMs: Date.now(), ip: "127.0.0.1" }, match);
}
