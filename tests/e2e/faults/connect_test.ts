import { assert, assertEquals } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { until } from "../../waiting.ts";
import { startGateway, testKey } from "../gateway.ts";
import { onlyRow } from "../interruptions/interrupted_call.ts";
import { sizeInTurn } from "../load/sized_body.ts";
import { startFaultUpstream } from "./fault_upstream.ts";
import { postTo } from "./faulty_gateway.ts";
import { properly } from "./injections.ts";
import { assertNothingHeld } from "./settled.ts";
import { startUnanswering } from "./unanswering.ts";

/** An address that answers to no attempt to connect, as one behind a firewall does. */

const heardMsMax = 100;
const triesMax = 3;
const connectMs = 300;
const slackMs = 3_000;

for (const stream of [false, true]) {
  for (const caller of formatNames) {
    const how = `${caller}, ${stream ? "streamed" : "whole"}`;

    Deno.test({
      name: `a caller that leaves while its upstream is connected to: ${how}`,
      ignore: Deno.build.os !== "linux",
      fn: async () => {
        let best = Infinity;
        for (let tries = 0; tries < triesMax && best > heardMsMax; tries++) {
          best = Math.min(best, await leftWhileConnecting(caller, stream));
        }
        console.log(`${how}: given up after ${best.toFixed(1)} ms`);
        assert(best <= heardMsMax);
      },
    });
  }
}

async function leftWhileConnecting(
  caller: typeof formatNames[number],
  stream: boolean,
): Promise<number> {
  await using unanswering = await startUnanswering();
  await using upstream = startFaultUpstream([{ name: "healthy", inject: properly }]);
  await using gateway = await startGateway(configFor(caller, unanswering.base, upstream.base));
  const leaving = new AbortController();
  const { bytes } = sizeInTurn(formatNames.indexOf(caller) + (stream ? 1 : 0));
  const init = { signal: leaving.signal };
  const call = postTo(gateway, caller, { model: "m", stream, bytes, init });
  call.catch(() => {}); // it is broken off
  await until(() => unanswering.waiting() === 1, "nobody connects");
  const leftAt = performance.now();
  leaving.abort();
  await until(() => unanswering.waiting() === 0, "the attempt to connect goes on");
  const tookMs = performance.now() - leftAt;
  const row = await onlyRow(gateway);
  assertEquals([row.outcome, row.errorCode, row.usageSource], [
    "client_gone",
    "client_closed",
    "none",
  ]);
  assertEquals(row.attempts?.length, 1);
  assertEquals(upstream.asked, []);
  await assertNothingHeld(gateway);
  return tookMs;
}

Deno.test("an address that does not answer is given up after the connect timeout, for the next upstream", async () => {
  await using unanswering = await startUnanswering();
  await using upstream = startFaultUpstream([{ name: "healthy", inject: properly }]);
  await using gateway = await startGateway(configFor("messages", unanswering.base, upstream.base));
  const startedAt = performance.now();
  const response = await postTo(gateway, "messages", { model: "m", stream: false });
  const tookMs = performance.now() - startedAt;
  assertEquals(response.status, 200);
  await response.body?.cancel();
  assert(tookMs >= connectMs && tookMs < connectMs + slackMs, `${tookMs} ms`);
  const { attempts } = await onlyRow(gateway);
  assertEquals(attempts?.map(({ errorCode }) => errorCode), ["upstream_timeout", undefined]);
});

Deno.test("an upstream that goes dark costs one call its first-byte timeout, and the next its connect timeout", async () => {
  const firstByteMs = 1_500;
  await using upstream = startFaultUpstream([{ name: "healthy", inject: properly }]);
  const base = upstream.base("healthy", "messages");
  const timeouts = { connectMs, firstByteMs };
  await using gateway = await startGateway({
    upstreams: [{ id: "dark", endpoints: { messages: base }, models: ["m"], timeouts }],
  });
  const call = async () => {
    const startedAt = performance.now();
    const response = await postTo(gateway, "messages", { model: "m", stream: false });
    await response.body?.cancel();
    return { status: response.status, tookMs: performance.now() - startedAt };
  };
  assertEquals((await call()).status, 200);
  await upstream[Symbol.asyncDispose]();
  await using _dark = await startUnanswering(Number(new URL(base).port));
  const [first, second] = [await call(), await call()];
  assertEquals([first.status, second.status], [504, 504]);
  assert(first.tookMs >= firstByteMs, `${first.tookMs} ms`);
  assert(second.tookMs < firstByteMs, `${second.tookMs} ms`);
});

function configFor(
  format: typeof formatNames[number],
  unanswering: string,
  healthy: (name: string, format: typeof formatNames[number]) => string,
) {
  const limits = { concurrency: 4 };
  return {
    keys: [{ name: "test", group: "default", value: testKey, limits }],
    upstreams: [
      {
        id: "unanswering",
        endpoints: { [format]: unanswering },
        models: ["m"],
        priority: 1,
        timeouts: { connectMs },
      },
      { id: "healthy", endpoints: { [format]: healthy("healthy", format) }, models: ["m"] },
    ],
  };
}
