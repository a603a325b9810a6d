import { assertEquals } from "@std/assert";
import { startSocketUpstream } from "../../upstreams/sockets/socket_upstream.ts";
import { until } from "../../waiting.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { openSocket } from "./session.ts";

async function counted({ base }: TestGateway): Promise<readonly string[]> {
  const text = await (await fetch(`${base}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith("tessera_sockets"));
}

const lines = (caller: number, upstream: number) => [
  `tessera_sockets{peer="caller"} ${caller}`,
  `tessera_sockets{peer="upstream"} ${upstream}`,
];

Deno.test("sockets: the metrics count open ones, on both sides", async () => {
  await using upstream = startSocketUpstream();
  await using gateway = await startGateway(
    oneUpstream({ responses: `${upstream.base}/v1` }, { websocket: true }),
  );
  assertEquals(await counted(gateway), lines(0, 0));
  {
    using client = await openSocket(gateway, gateway.key);
    using _idle = await openSocket(gateway, gateway.key);
    assertEquals(await counted(gateway), lines(2, 0));
    const lane = client.session.lane();
    lane.create({ model: "m", store: false, input: "hi" });
    await lane.finalResponse();
    assertEquals(await counted(gateway), lines(2, 1));
  }
  await until(async () => (await counted(gateway)).join() === lines(0, 0).join());
});
