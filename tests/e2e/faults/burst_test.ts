import { assertEquals } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { type FaultUpstream, type Inject, startFaultUpstream } from "./fault_upstream.ts";
import { postTo } from "./faulty_gateway.ts";
import { properly, refusing } from "./injections.ts";

/** An upstream that fails a number of calls and then recovers. */

/** More failures than open a circuit. */
const burst = 8;
const calls = 12;
/** The first two are retried; the fifth failure, of the third, opens the circuit. */
const failedCalls = burst - 2;

for (const format of formatNames) {
  for (const stream of [false, true]) {
    const how = `${format}, ${stream ? "streamed" : "whole"}`;

    Deno.test(`a burst of 500s, ${how}: a single upstream is still called, and answers after it recovers`, async () => {
      await using upstream = startBursting();
      await using gateway = await startBefore(upstream, format, ["bursting"]);
      const statuses = await statusesOf(gateway, format, stream);
      assertEquals(statuses, [
        ...Array(failedCalls).fill(502),
        ...Array(calls - failedCalls).fill(200),
      ]);
    });

    Deno.test(`a burst of 500s, ${how}: with a second upstream no caller sees it`, async () => {
      await using upstream = startBursting();
      await using gateway = await startBefore(upstream, format, ["bursting", "healthy"]);
      assertEquals(await statusesOf(gateway, format, stream), Array(calls).fill(200));
    });
  }
}

function startBursting(): FaultUpstream {
  let failures = 0;
  const fail = refusing("upstream_error", 500, {});
  const inject: Inject = (exchange) => failures++ < burst ? fail(exchange) : properly(exchange);
  return startFaultUpstream([
    { name: "bursting", inject },
    { name: "healthy", inject: properly },
  ]);
}

function startBefore(
  upstream: FaultUpstream,
  format: FormatName,
  names: readonly string[],
): Promise<TestGateway> {
  return startGateway({
    upstreams: names.map((id, at) => ({
      id,
      endpoints: { [format]: upstream.base(id, format) },
      models: ["m"],
      priority: -at,
    })),
  });
}

/** The statuses of successive calls. */
async function statusesOf(
  gateway: TestGateway,
  format: FormatName,
  stream: boolean,
): Promise<readonly number[]> {
  const loud = console.error;
  console.error = () => {}; // each failure is a line of the operator's log
  try {
    const statuses: number[] = [];
    for (let call = 0; call < calls; call++) {
      const response = await postTo(gateway, format, { model: "m", stream });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses;
  } finally {
    console.error = loud;
  }
}
