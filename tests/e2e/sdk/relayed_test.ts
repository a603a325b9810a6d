import { assert, assertEquals, assertRejects } from "@std/assert";
import OpenAI, { NotFoundError, toFile } from "openai";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import {
  type SeenBytes,
  startByteUpstream,
  startRelay,
  upstreamEntry,
} from "../upstreams/relay_pair.ts";

const model = "mapped";
const audio = Uint8Array.from({ length: 2_048 }, (_, at) => at % 251);
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

/** A vendor's server as the SDK expects it, by the path that is asked. */
const answers: Readonly<Record<string, (seen: SeenBytes) => Response>> = {
  "/v1/embeddings": () =>
    Response.json({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.25, -0.5] }],
      model: "real-name",
      usage: { prompt_tokens: 3, total_tokens: 3 },
    }),
  "/v1/completions": ({ bytes }) => completion(new TextDecoder().decode(bytes)),
  "/v1/images/generations": () => pictures(),
  "/v1/images/edits": () => pictures(),
  "/v1/audio/speech": () => new Response(audio, { headers: { "content-type": "audio/mpeg" } }),
  "/v1/audio/transcriptions": () => heard(),
  "/v1/audio/translations": () => heard(),
  "/v1/moderations": () =>
    Response.json({ id: "m", model: "real-name", results: [{ flagged: true }] }),
};

function completion(request: string): Response {
  const choice = (text: string) => ({ index: 0, text, finish_reason: "stop", logprobs: null });
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const body = { id: "c", object: "text_completion", created: 1, model: "real-name" };
  if (!request.includes('"stream":true')) {
    return Response.json({ ...body, choices: [choice("one two")], usage });
  }
  const events = [
    { ...body, choices: [choice("one")] },
    { ...body, choices: [choice(" two")] },
    { ...body, choices: [], usage },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return new Response(`${events.join("")}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

function pictures(): Response {
  const usage = { input_tokens: 5, output_tokens: 9, total_tokens: 14 };
  return Response.json({ created: 1, data: [{ b64_json: "iVBORw==" }], usage });
}

function heard(): Response {
  return Response.json({ text: "hello", usage: { type: "duration", seconds: 2 } });
}

/** Each call of the SDK, what it gives and the operation that the log must name. */
const calls: Readonly<Record<string, (client: OpenAI) => Promise<unknown>>> = {
  "embed": async (client) => {
    const answer = await client.embeddings.create({
      model,
      input: "a",
      encoding_format: "float",
    });
    assertEquals([answer.data[0].embedding, answer.usage.prompt_tokens], [[0.25, -0.5], 3]);
  },
  "complete": async (client) => {
    const answer = await client.completions.create({ model, prompt: "count" });
    assertEquals(answer.choices[0].text, "one two");
  },
  "complete streamed": async (client) => {
    const texts: string[] = [];
    const stream = await client.completions.create({ model, prompt: "count", stream: true });
    for await (const { choices } of stream) texts.push(choices[0].text);
    assertEquals(texts, ["one", " two"]);
  },
  "generate-image": async (client) => {
    const answer = await client.images.generate({ model, prompt: "a cat" });
    assertEquals(answer.data?.[0].b64_json, "iVBORw==");
  },
  "edit-image": async (client) => {
    const image = [await toFile(png, "a.png"), await toFile(png, "b.png")];
    const answer = await client.images.edit({ model, image, prompt: "bluer" });
    assertEquals(answer.usage?.output_tokens, 9);
  },
  "speak": async (client) => {
    const answer = await client.audio.speech.create({ model, input: "hello", voice: "alloy" });
    assertEquals(new Uint8Array(await answer.arrayBuffer()), audio);
  },
  "transcribe": async (client) => {
    const file = await toFile(audio, "a.mp3");
    assertEquals((await client.audio.transcriptions.create({ model, file })).text, "hello");
  },
  "translate": async (client) => {
    const file = await toFile(audio, "a.mp3");
    assertEquals((await client.audio.translations.create({ model, file })).text, "hello");
  },
  "moderate": async (client) => {
    const answer = await client.moderations.create({ model, input: "bad" });
    assertEquals(answer.results[0].flagged, true);
  },
};

for (const [name, call] of Object.entries(calls)) {
  Deno.test(`openai relayed: ${name}`, async () => {
    await using upstream = startByteUpstream((seen) => answers[seen.path](seen));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
    await call(clientOf(gateway));
    const sent = new TextDecoder().decode(upstream.seen[0].bytes);
    assert(sent.includes("real-name") && !sent.includes("mapped"));
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.operation, row.outcome], [name.split(" ")[0], "completed"]);
    assert(row.usage && (row.costNanoUsd ?? 0n) > 0n);
  });
}

Deno.test("openai relayed: what no upstream has is an error of the SDK that says so", async () => {
  await using gateway = await startRelay([]);
  const client = clientOf(gateway);
  const error = await assertRejects(
    () => client.embeddings.create({ model: "tessera-echo", input: "a" }),
    NotFoundError,
    "/v1/embeddings",
  );
  assertEquals(error.code, "endpoint_not_served");
});

function clientOf({ base, key }: { readonly base: string; readonly key: string }): OpenAI {
  return new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
}
