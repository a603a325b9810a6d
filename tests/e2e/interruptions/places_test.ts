import { assert, assertEquals } from "@std/assert";
import { until } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway, testKey } from "../gateway.ts";
import { rawCall } from "../load/raw_call.ts";
import { bodySizes, ofSize } from "../load/sized_body.ts";
import { denokvPath, startDenokv } from "../money/denokv.ts";
import { withStoreFolder } from "../money/place.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { onlyRow, streaming } from "./interrupted_call.ts";
import { speeches } from "./interrupted_wire.ts";

/** Places among concurrent calls: those of callers that left are free again, in every isolate. */

const places = 4;
/** Calls that come too soon are refused; within so long all places are free. */
const freeWithinMs = 2_000;

const speech = speeches["chat-completions"];
const path = "/v1/chat/completions";
const key = { name: "bound", group: "default", value: testKey, limits: { concurrency: places } };

/** When callers leave, and what their upstream has said by then. */
const moments = [
  { moment: "before the first byte, whole", stream: false, says: undefined },
  { moment: "before the first byte, streamed", stream: true, says: undefined },
  { moment: "in mid-stream", stream: true, says: "Once" },
] as const;
type Moment = typeof moments[number];

const ways = ["close", "reset"] as const;

const placesOf = [
  { place: "one isolate", isolates: undefined },
  { place: "4 isolates of one process", isolates: 4 },
  { place: "2 processes on a KV Connect server", isolates: undefined, processes: 2 },
] as const;

for (const { place, isolates, ...more } of placesOf) {
  const processes = "processes" in more ? more.processes : 1;
  Deno.test({
    name: `places of callers that left are all free again: ${place}`,
    ignore: processes > 1 && denokvPath === undefined,
    fn: () =>
      withStoreFolder(async (folder) => {
        await using kv = processes > 1 ? await startDenokv(folder) : undefined;
        await using upstream = startSilentUpstream();
        const servers = await Promise.all(
          Array.from({ length: processes }, (_, at) =>
            startServer(folder, {
              config: configFor(upstream.base),
              isolates,
              name: `server${at}`,
              ...(kv && { env: kv.env }),
            })),
        );
        try {
          for (const [at, moment] of moments.entries()) {
            for (const { size, bytes } of bodySizes) {
              await leaveAll(servers, upstream, { moment, bytes, way: ways[at % 2] });
              const took = await untilAllFree(servers, upstream);
              assert(took < freeWithinMs, `${moment.moment}, ${size}: free after ${took} ms`);
            }
          }
        } finally {
          for (const server of servers) await server.kill();
        }
      }),
  });
}

/** An upstream that sends its first word on request, and then nothing. */
function startSilentUpstream() {
  return startUpstream(({ body }) =>
    body.includes("Say a word")
      ? streaming([...speech.opening, speech.delta("Once")], false)
      : new Promise<Response>(() => {})
  );
}
type SilentUpstream = ReturnType<typeof startSilentUpstream>;

function configFor(base: string) {
  const endpoints = { "chat-completions": `${base}/v1` };
  return { keys: [key], upstreams: [{ id: "up", endpoints, models: ["m"] }] };
}

function bodyOf({ says, stream }: Moment, bytes: number, more = ""): string {
  const asked = speech.request((says ? "Say a word" : "Say nothing") + more, stream);
  return JSON.stringify(ofSize("chat-completions", asked, bytes));
}

/** So many callers as there are places call, are at the upstream, and leave. */
async function leaveAll(
  servers: readonly ServerProcess[],
  upstream: SilentUpstream,
  { moment, bytes, way }: {
    readonly moment: Moment;
    readonly bytes: number;
    readonly way: typeof ways[number];
  },
): Promise<void> {
  const before = upstream.seen.length;
  const body = bodyOf(moment, bytes);
  const callers = await Promise.all(
    Array.from(
      { length: places },
      (_, at) => rawCall(servers[at % servers.length].base, { path, body }),
    ),
  );
  await until(() => upstream.seen.length === before + places, "a place is not free");
  if (moment.says) await Promise.all(callers.map((caller) => caller.readUntil("Once")));
  for (const caller of callers) caller[way]();
  await Promise.all(upstream.seen.slice(before).map(({ aborted }) => aborted));
}

/** Tries again and again to have calls in all places at the same time; how long that took. */
async function untilAllFree(
  servers: readonly ServerProcess[],
  upstream: SilentUpstream,
): Promise<number> {
  const startedAt = performance.now();
  for (let number = 1;; number++) {
    // Calls of an earlier try may still arrive, though their callers left.
    const mark = `, try ${number}.`;
    const body = bodyOf(moments[0], bodySizes[0].bytes, mark);
    const before = upstream.seen.length;
    const arrived = () => upstream.seen.slice(before).filter((seen) => seen.body.includes(mark));
    const startedTryAt = performance.now();
    const callers = await Promise.all(
      Array.from(
        { length: places },
        (_, at) => rawCall(servers[at % servers.length].base, { path, body }),
      ),
    );
    const refused = Promise.race(callers.map((caller) => caller.readUntil(" 429 ")));
    refused.catch(() => {}); // none was
    const asked = until(() => arrived().length === places, "no place is free");
    asked.catch(() => {}); // one was refused
    const free = await Promise.race([asked.then(() => true), refused.then(() => false)]);
    for (const caller of callers) caller.close();
    await Promise.all(upstream.seen.slice(before).map(({ aborted }) => aborted));
    if (free) return startedTryAt - startedAt;
    assert(performance.now() - startedAt < 10 * freeWithinMs, "the places do not come back");
  }
}

for (const { size, bytes } of bodySizes) {
  for (const way of ways) {
    Deno.test(`a caller that leaves while it uploads ${size} asks no upstream and keeps no place: ${way}`, async () => {
      await using upstream = startUpstream(() => Response.json(speech.whole("Once")));
      await using gateway = await startGateway(configFor(upstream.base));
      const body = bodyOf(moments[0], bytes);
      const sentBytes = Math.floor(body.length / 2);
      // The kernel drops what a reset connection sent, if nobody has read it yet.
      const caller = await rawCall(gateway.base, { path, body, sentBytes, waitsToSend: true });
      caller[way]();
      const { outcome, usageSource } = await onlyRow(gateway);
      // A body that breaks off may be seen before the connection that closed.
      assert(outcome === "client_gone" || outcome === "refused", outcome);
      assertEquals([usageSource, upstream.seen.length], ["none", 0]);
      const calls = Array.from({ length: places }, () =>
        fetch(gateway.base + path, {
          method: "POST",
          headers: { authorization: `Bearer ${testKey}` },
          body,
        }));
      for (const response of await Promise.all(calls)) {
        await response.body?.cancel();
        assertEquals(response.status, 200);
      }
    });
  }

  Deno.test(`a background response goes on when its caller leaves: ${size}`, async () => {
    const said = Promise.withResolvers<void>();
    await using upstream = startUpstream(async () => {
      await said.promise;
      const { opening, delta, closing } = speech;
      return streaming([...opening, delta("Once"), ...closing], true);
    });
    await using gateway = await startGateway(configFor(upstream.base));
    const asked = { model: "m", input: "hi", background: true, stream: true };
    const caller = await rawCall(gateway.base, {
      path: "/v1/responses",
      body: JSON.stringify(ofSize("responses", asked, bytes)),
    });
    await caller.readUntil(" 200 ");
    await until(() => upstream.seen.length === 1, "the upstream was not asked");
    caller.reset();
    said.resolve();
    const { outcome, usageSource } = await onlyRow(gateway);
    assertEquals([outcome, usageSource], ["completed", "counted"]);
  });
}
