import { assertEquals } from "@std/assert";
import { startSocketUpstream } from "../../upstreams/sockets/socket_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { openSocket } from "./session.ts";

/** Sockets on both sides of the gateway. */

Deno.test("sockets: turns of one socket share one socket of the upstream, which gets only what is new", async () => {
  await using upstream = startSocketUpstream();
  await using gateway = await startGateway(
    oneUpstream({ responses: `${upstream.base}/v1` }, { websocket: true }),
  );
  {
    using client = await openSocket(gateway, gateway.key);
    const lane = client.session.lane();
    const common = { model: "m", store: false };
    lane.create({ ...common, input: "hi" });
    let response = await lane.finalResponse();
    for (const word of ["one", "two", "three"]) {
      lane.create({ ...common, input: word, previous_response_id: response.id });
      response = await lane.finalResponse();
    }
  }
  assertEquals([upstream.handshakes.length, upstream.posts.length], [1, 0]);
  const [first, ...others] = upstream.frames;
  assertEquals([first.input, first.previous_response_id], ["hi", undefined]);
  assertEquals(
    others.map(({ input, previous_response_id: previous }) => [
      Array.isArray(input) ? input.length : input,
      typeof previous,
    ]),
    [[1, "string"], [1, "string"], [1, "string"]],
  );
});
