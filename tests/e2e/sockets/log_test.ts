import { assertEquals, assertMatch } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { startGated } from "./gated_upstream.ts";
import { isType, openSocket } from "./session.ts";

const create = { type: "response.create", model: "m", input: "hi", store: false };

Deno.test("sockets: a call's row names its socket and lane, and that of a POST none", async () => {
  await using upstream = startGated();
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  const send = async (lanes: readonly string[]) => {
    using client = await openSocket(gateway, gateway.key);
    for (const [done, lane] of lanes.entries()) {
      client.send({ ...create, ...(lane && { stream_id: lane }) });
      (await upstream.next()).end();
      await client.seen(() =>
        client.frames.filter(isType("response.completed")).length === done + 1
      );
    }
  };
  await send(["", "main"]);
  await send(["main"]);
  const answering = fetch(`${gateway.base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ model: "m", input: "hi", stream: true }),
  });
  (await upstream.next()).end();
  await (await answering).text();
  const rows = await Array.fromAsync(allRows(gateway.parts.store));
  const [first, second, third, posted] = rows.toSorted((a, b) => a.id < b.id ? -1 : 1)
    .map(({ socket }) => socket);
  assertMatch(first ?? "", /^ws_[0-9a-f]{12}$/);
  assertEquals([second, posted], [`${first}/main`, undefined]);
  assertMatch(third ?? "", /^ws_[0-9a-f]{12}\/main$/);
  assertEquals(third === second, false);
});
