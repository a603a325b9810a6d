import { assertEquals } from "@std/assert";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway } from "../gateway.ts";
import { callPaid, paidConfig, startPaidUpstream } from "../money/paid_upstream.ts";

const secret = "sk-alerts-0123456789abcdefghij";

Deno.test("a webhook reports a budget that runs low and then refuses calls", async () => {
  await using upstream = startPaidUpstream();
  let deliveries = 0;
  const events = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  await using receiver = startUpstream(({ body }) => {
    events[deliveries++]?.resolve(JSON.parse(body).type);
    return new Response();
  });
  await using gateway = await startGateway({
    ...paidConfig(upstream),
    keys: [{ name: "low", value: secret, budget: { usd: 0.00025, period: "month" } }],
    alerts: { webhook: { url: `${receiver.base}/hook`, secret: "whsec_" + btoa("x".repeat(32)) } },
  });
  for (let call = 0; call < 2; call++) {
    assertEquals((await callPaid(gateway.base, secret)).status, 200); // both are 80 % of the budget
  }
  assertEquals(await events[0].promise, "budget.threshold_reached");
  assertEquals((await callPaid(gateway.base, secret)).status, 402);
  assertEquals(await events[1].promise, "budget.calls_refused");
});
