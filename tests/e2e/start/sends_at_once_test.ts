import { assert } from "@std/assert";
import { RawClient } from "../../raw_client.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";

const chunk = (delta: object, finish: string | null) =>
  `data: ${
    JSON.stringify({
      object: "chat.completion.chunk",
      model: "m",
      choices: [{ index: 0, delta, finish_reason: finish }],
      usage: finish && { prompt_tokens: 5, completion_tokens: 40, total_tokens: 45 },
    })
  }\n\n`;

/** One write, so that the upstream's own server delays nothing. */
const stream = chunk({ role: "assistant", content: "" }, null) +
  chunk({ content: "word " }, null).repeat(40) + chunk({}, "stop") + "data: [DONE]\n\n";

/** Linux acknowledges the first 16 segments of a connection at once. */
const [callsQuick, callsMeasured] = [8, 12];
/** Linux delays an acknowledgement by 40 ms if it has nothing to send. */
const waitMsMax = 25;

for (const [kind, isolates] of [["start", undefined], ["start:parallel", 2]] as const) {
  Deno.test(`${kind} sends the end of a stream without waiting for an acknowledgement of its beginning`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startUpstream(() =>
        new Response(stream, { headers: { "content-type": "text/event-stream" } })
      );
      const config = oneUpstream({ "chat-completions": upstream.base });
      const server = await startServer(folder, {
        config,
        ...isolates !== undefined && { isolates },
      });
      try {
        using client = await RawClient.to(new URL(server.base));
        const waits: number[] = [];
        for (let call = 0; call < callsQuick + callsMeasured; call++) {
          waits.push(await waitForEnd(client));
        }
        const shortest = Math.min(...waits.slice(callsQuick));
        assert(shortest < waitMsMax, `each of the last ends came ${shortest} ms later or more`);
      } finally {
        await server.stop();
      }
    }));
}

/** Milliseconds from the first event to the end of the answer. */
async function waitForEnd(client: RawClient): Promise<number> {
  const body = JSON.stringify({
    model: "m",
    stream: true,
    messages: [{ role: "user", content: "Hi" }],
  });
  await client.write([
    "POST /v1/chat/completions HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${testKey}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    `\r\n${body}`,
  ].join("\r\n"));
  await client.readUntil("data: ");
  const startedAt = performance.now();
  await client.readUntil("\r\n0\r\n\r\n");
  return performance.now() - startedAt;
}
