import { assert, assertEquals } from "@std/assert";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";

const count = 12_000;

async function answerTo({ base, key }: TestGateway, body: object) {
  const response = await fetch(`${base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", ...body }),
  });
  assertEquals(response.status, 200);
  return await response.json();
}

Deno.test("a request may name every item of a long answer by its id, and each is found at once", async () => {
  const content = Array.from(
    { length: count },
    (_, at) => ({ type: "tool_use", id: `c${at}`, name: "t", input: {} }),
  );
  await using upstream = startUpstream(() =>
    Response.json(
      messagesAnswer({
        content,
        stop_reason: "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
  );
  await using gateway = await startGateway(oneUpstream({ messages: upstream.base }));
  const { output } = await answerTo(gateway, { input: "Go", store: true });
  const named = output.map(({ id }: { id: string }) => ({ type: "item_reference", id }));
  const began = threadCpuTimeMs();
  await answerTo(gateway, { input: named, store: false });
  const took = threadCpuTimeMs() - began;
  assert(took < 7_000, `${took} ms`);
  const [, { body }] = upstream.seen;
  assertEquals(body.match(/"tool_use"/g)?.length, count);
});
