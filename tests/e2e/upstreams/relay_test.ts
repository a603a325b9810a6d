import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import type { Usage } from "../../../lib/canonical/mod.ts";
import { parsedTexts } from "../../parsed_texts.ts";
import { until } from "../../waiting.ts";
import { pieces } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { rawCall } from "../load/raw_call.ts";
import { bodySizes, words } from "../load/sized_body.ts";
import {
  onlyRow,
  post,
  type SeenBytes,
  startByteUpstream,
  startRelay,
  upstreamEntry,
} from "./relay_pair.ts";

/** One call of an endpoint that is passed on as it is, and what it must come to. */
interface RelayCase {
  readonly name: string;
  readonly path: string;
  readonly operation: string;
  readonly request: (model: string) => string | Uint8Array<ArrayBuffer>;
  readonly answer: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  readonly usage: Partial<Usage>;
  readonly source: "upstream" | "counted";
  /** In nano-dollars; not said where a tokenizer or an estimate decides. */
  readonly costNanoUsd?: bigint;
}

const boundary = "----relay-0123456789";
const bytes = (text: string) => new TextEncoder().encode(text);
/** A recording with every byte in it, line ends and dashes included. */
const recording = Uint8Array.from({ length: 4_096 }, (_, at) => at % 256);

function form(model: string, file: string, fields: string): Uint8Array<ArrayBuffer> {
  const head = bytes(
    `--${boundary}\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nfirst\nsecond\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="${file}"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = bytes(
    `\r\n--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}${fields}\r\n--${boundary}--\r\n`,
  );
  return new Uint8Array([...head, ...recording, ...tail]);
}

const field = (name: string, value: string) =>
  `\r\n--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

const cases: readonly RelayCase[] = [
  {
    name: "embeddings",
    path: "/v1/embeddings",
    operation: "embed",
    request: (model) => `{ "model":"${model}", "input":["a\\u00e9","b"],"x_unknown":1.0 }`,
    answer:
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.10,-1e-3]}],"model":"m","usage":{"prompt_tokens":7,"total_tokens":7}}',
    usage: { inputTokens: 7 },
    source: "upstream",
    costNanoUsd: 7_000n,
  },
  {
    name: "embeddings whose server knows only a total",
    path: "/v1/embeddings",
    operation: "embed",
    request: (model) => `{"model":"${model}","input":"a"}`,
    answer: '{"object":"list","data":[],"usage":{"total_tokens":5}}',
    usage: { inputTokens: 5 },
    source: "upstream",
    costNanoUsd: 5_000n,
  },
  {
    name: "completions",
    path: "/v1/completions",
    operation: "complete",
    request: (model) => `{"model":"${model}","prompt":"Once","max_tokens":5}`,
    answer:
      '{"id":"c","object":"text_completion","choices":[{"index":0,"text":" upon","finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}',
    usage: { inputTokens: 1, outputTokens: 2 },
    source: "upstream",
    costNanoUsd: 5_000n,
  },
  {
    name: "images.generations",
    path: "/v1/images/generations",
    operation: "generate-image",
    request: (model) => `{"model":"${model}","prompt":"a cat","n":1}`,
    answer:
      '{"created":1,"data":[{"b64_json":"AAAA"}],"usage":{"input_tokens":10,"output_tokens":100,"total_tokens":110,"input_tokens_details":{"text_tokens":10,"image_tokens":0}}}',
    usage: { inputTokens: 10, imageOutputTokens: 100 },
    source: "upstream",
    costNanoUsd: 3_210_000n,
  },
  {
    name: "images.edits",
    path: "/v1/images/edits",
    operation: "edit-image",
    request: (model) => form(model, "image", ""),
    answer:
      '{"created":1,"data":[{"b64_json":"AAAA"}],"usage":{"input_tokens":30,"output_tokens":100,"input_tokens_details":{"text_tokens":10,"image_tokens":20}}}',
    usage: { inputTokens: 10, imageInputTokens: 20, imageOutputTokens: 100 },
    source: "upstream",
    costNanoUsd: 3_530_000n,
  },
  {
    name: "audio.speech",
    path: "/v1/audio/speech",
    operation: "speak",
    request: (model) => `{"model":"${model}","input":"Read me out","voice":"alloy"}`,
    answer: recording,
    contentType: "audio/mpeg",
    usage: {},
    source: "counted",
  },
  {
    name: "audio.transcriptions in tokens",
    path: "/v1/audio/transcriptions",
    operation: "transcribe",
    request: (model) => form(model, "file", field("language", "en")),
    answer:
      '{"text":"hello","usage":{"type":"tokens","input_tokens":14,"input_token_details":{"text_tokens":2,"audio_tokens":12},"output_tokens":3,"total_tokens":17}}',
    usage: { inputTokens: 2, audioInputTokens: 12, outputTokens: 3 },
    source: "upstream",
    costNanoUsd: 56_000n,
  },
  {
    name: "audio.transcriptions by duration",
    path: "/v1/audio/transcriptions",
    operation: "transcribe",
    request: (model) => form(model, "file", ""),
    answer: '{"text":"hello","usage":{"type":"duration","seconds":9}}',
    usage: { audioInputTokens: 90 },
    source: "upstream",
    costNanoUsd: 360_000n,
  },
  {
    name: "audio.transcriptions as text",
    path: "/v1/audio/transcriptions",
    operation: "transcribe",
    request: (model) => form(model, "file", field("response_format", "text")),
    answer: "hello there\n",
    contentType: "text/plain; charset=utf-8",
    usage: { outputTokens: 3 },
    source: "counted",
  },
  {
    name: "audio.translations",
    path: "/v1/audio/translations",
    operation: "translate",
    request: (model) => form(model, "file", ""),
    answer: '{"task":"translate","language":"de","duration":2.5,"text":"hello"}',
    usage: { audioInputTokens: 25 },
    source: "upstream",
    costNanoUsd: 100_000n,
  },
  {
    name: "moderations",
    path: "/v1/moderations",
    operation: "moderate",
    request: (model) => `{"model":"${model}","input":"is this fine"}`,
    answer: '{"id":"m","model":"m","results":[{"flagged":false}]}',
    usage: { outputTokens: 0 },
    source: "counted",
  },
  {
    name: "rerank in tokens",
    path: "/v1/rerank",
    operation: "rerank",
    request: (model) => `{"model":"${model}","query":"q","documents":["a","b"]}`,
    answer: '{"results":[{"index":1,"relevance_score":0.9}],"usage":{"total_tokens":11}}',
    usage: { inputTokens: 11 },
    source: "upstream",
    costNanoUsd: 11_000n,
  },
  {
    name: "rerank in searches",
    path: "/v1/rerank",
    operation: "rerank",
    request: (model) => `{"model":"${model}","query":"q","documents":["a","b"]}`,
    answer: '{"results":[],"meta":{"billed_units":{"search_units":2}}}',
    usage: { hostedToolCalls: { rerank: 2 } },
    source: "upstream",
    costNanoUsd: 4_000_000n,
  },
  {
    name: "decisions",
    path: "/v1/decisions",
    operation: "decide",
    request: (model) =>
      `{"model":"${model}","input":"A dog","questions":[{"type":"predicate","question":"A cat?"}]}`,
    answer:
      '{"answers":[{"type":"predicate","name":null,"probability":0.10}],"model":"m","usage":{"input_tokens":11,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":11}}',
    usage: { inputTokens: 11 },
    source: "upstream",
    costNanoUsd: 11_000n,
  },
];

const asBytes = (body: string | Uint8Array) => typeof body === "string" ? bytes(body) : body;
const typeOf = (body: string | Uint8Array) =>
  typeof body === "string" ? "application/json" : `multipart/form-data; boundary=${boundary}`;

const answerOf = ({ answer, contentType = "application/json" }: RelayCase) => () =>
  new Response(answer, { headers: { "content-type": contentType } });

for (const relayed of cases) {
  const { name, path, operation, request } = relayed;

  Deno.test(`relay ${name}: the same bytes go out and come back, and the call is metered`, async () => {
    await using upstream = startByteUpstream(answerOf(relayed));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
    const sent = request("plain");
    const response = await post(gateway, path, sent, { headers: { "content-type": typeOf(sent) } });
    assertEquals(await response.bytes(), asBytes(relayed.answer));
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), relayed.contentType ?? "application/json");
    const [seen] = upstream.seen;
    assertEquals(seen.bytes, asBytes(sent));
    assertEquals([seen.path, seen.headers.get("content-type")], [path, typeOf(sent)]);
    assertEquals(seen.headers.get("authorization"), "Bearer up-secret");
    const row = await onlyRow(gateway);
    assertEquals([row.id, row.operation], [response.headers.get("x-request-id"), operation]);
    assertEquals([row.outcome, row.usageSource], ["completed", relayed.source]);
    for (const [bucket, count] of Object.entries(relayed.usage)) {
      assertEquals([bucket, row.usage?.[bucket as keyof Usage]], [bucket, count]); // the case's own names
    }
    if (relayed.costNanoUsd !== undefined) assertEquals(row.costNanoUsd, relayed.costNanoUsd);
    else assert((row.costNanoUsd ?? 0n) > 0n, "what nobody counts is estimated");
    assertEquals((await auditStore(gateway.parts.store)).differences, []);
  });

  Deno.test(`relay ${name}: a mapped model is the only change`, async () => {
    await using upstream = startByteUpstream(answerOf(relayed));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
    const sent = request("mapped");
    await (await post(gateway, path, sent, { headers: { "content-type": typeOf(sent) } })).bytes();
    assertEquals(upstream.seen[0].bytes, asBytes(request("real-name")));
    assertEquals((await onlyRow(gateway)).upstreamModel, "real-name");
  });

  Deno.test(`relay ${name}: an upstream without the endpoint is passed over, and is not at fault`, async () => {
    await using lacking = startByteUpstream(() => new Response("Not Found", { status: 404 }));
    await using upstream = startByteUpstream(answerOf(relayed));
    await using gateway = await startRelay([
      upstreamEntry("lacking", lacking.base, { priority: 1, apiKeys: ["a", "b"] }),
      upstreamEntry("up", upstream.base),
    ]);
    const sent = request("plain");
    const response = await post(gateway, path, sent, { headers: { "content-type": typeOf(sent) } });
    assertEquals(await response.bytes(), asBytes(relayed.answer));
    const { attempts = [] } = await onlyRow(gateway);
    assertEquals(attempts.map(({ upstreamId, errorCode }) => [upstreamId, errorCode]), [
      ["lacking", "endpoint_not_served"],
      ["up", undefined],
    ]);
  });
}

const embed = '{"model":"plain","input":"a"}';

Deno.test("relay: the next upstream answers where the first fails", async () => {
  await using broken = startByteUpstream(() => new Response("busy", { status: 503 }));
  await using good = startByteUpstream(answerOf(cases[0]));
  await using gateway = await startRelay([
    upstreamEntry("broken", broken.base, { priority: 1 }),
    upstreamEntry("good", good.base),
  ]);
  assertEquals((await post(gateway, "/v1/embeddings", embed)).status, 200);
  assertEquals((await onlyRow(gateway)).upstreamId, "good");
});

/** An answer of embeddings with this many vectors of 1,536 numbers; each takes 32 KB. */
function vectors(count: number, last = "0.25"): string {
  const numbers = Array.from({ length: 1_535 }, (_, at) => Math.sin(at) / 20);
  const data = Array.from(
    { length: count },
    (_, index) =>
      `{"object":"embedding","index":${index},"embedding":[${numbers},${
        index === count - 1 ? last : 0.5
      }]}`,
  );
  return `{"object":"list","data":[${data}],"usage":{"prompt_tokens":800,"total_tokens":800}}`;
}

const asJson = { headers: { "content-type": "application/json" } };

Deno.test("relay: 100 vectors pass without being parsed", async () => {
  const answer = vectors(100);
  await using upstream = startByteUpstream(() => new Response(answer, asJson));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const parsed = await parsedTexts(async () => {
    assertEquals(await (await post(gateway, "/v1/embeddings", embed)).text(), answer);
  });
  assertEquals(parsed.filter((text) => text.length > 100_000), []);
  const { usage, outcome } = await onlyRow(gateway);
  assertEquals([usage?.inputTokens, outcome], [800, "completed"]);
});

for (const count of [1, 20, 100, 400]) {
  Deno.test(`relay: the next upstream answers where the last of ${count} vectors is broken`, async () => {
    await using broken = startByteUpstream(() => new Response(vectors(count, "0.2.5"), asJson));
    await using good = startByteUpstream(() => new Response(vectors(count), asJson));
    await using gateway = await startRelay([
      upstreamEntry("broken", broken.base, { priority: 1 }),
      upstreamEntry("good", good.base),
    ]);
    assertEquals(await (await post(gateway, "/v1/embeddings", embed)).text(), vectors(count));
    const { attempts = [] } = await onlyRow(gateway);
    assertEquals(attempts.map(({ errorCode }) => errorCode), [
      "upstream_invalid_response",
      undefined,
    ]);
  });
}

Deno.test("relay: where no upstream has the endpoint the error names it and the model", async () => {
  await using lacking = startByteUpstream(() => new Response("no", { status: 405 }));
  await using gateway = await startRelay([upstreamEntry("lacking", lacking.base)]);
  const response = await post(gateway, "/v1/embeddings", embed);
  const { error } = await response.json();
  assertEquals([response.status, error.code], [404, "endpoint_not_served"]);
  assertStringIncludes(error.message, "plain");
  assertStringIncludes(error.message, "/v1/embeddings");
  assertEquals(response.headers.get("x-should-retry"), "false");
  assertEquals((await onlyRow(gateway)).errorCode, "endpoint_not_served");
});

Deno.test("relay: an upstream of another vendor's formats alone has no such endpoint", async () => {
  await using other = startByteUpstream(answerOf(cases[0]));
  await using gateway = await startRelay([
    upstreamEntry("other", other.base, { endpoints: { messages: other.base } }),
  ]);
  const { error } = await (await post(gateway, "/v1/embeddings", embed)).json();
  assertEquals([error.code, other.seen.length], ["endpoint_not_served", 0]);
});

Deno.test("relay: a model that the upstream does not know is no missing endpoint", async () => {
  await using upstream = startByteUpstream(() =>
    Response.json({ error: { message: "The model `plain` does not exist" } }, { status: 404 })
  );
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const { error } = await (await post(gateway, "/v1/embeddings", embed)).json();
  assertEquals(error.code, "model_not_found");
});

const badInputs: readonly [string, string, BodyInit, Record<string, string>, number, string][] = [
  ["no model", "/v1/embeddings", '{"input":"a"}', {}, 400, "model"],
  ["a model twice", "/v1/embeddings", '{"model":"a","Model":"b","input":"a"}', {}, 400, "model"],
  ["an input that is no text", "/v1/embeddings", '{"model":"plain","input":7}', {}, 400, "input"],
  ["broken JSON", "/v1/rerank", '{"model":', {}, 400, "JSON"],
  ["no documents", "/v1/rerank", '{"model":"plain","query":"q"}', {}, 400, "documents"],
  [
    "Google's form of decisions",
    "/v1/decisions",
    '{"model":"plain","input":"a","questions":{"q":{"noul":{}}}}',
    {},
    400,
    "questions",
  ],
  ["a form where JSON belongs", "/v1/embeddings", new FormData(), {}, 415, "json"],
  ["JSON where a form belongs", "/v1/audio/transcriptions", embed, {}, 415, "multipart"],
  [
    "a form without a file",
    "/v1/audio/transcriptions",
    `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nplain\r\n--b--\r\n`,
    { "content-type": "multipart/form-data; boundary=b" },
    400,
    "file",
  ],
  [
    "a form without an end",
    "/v1/audio/transcriptions",
    `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nplain`,
    { "content-type": "multipart/form-data; boundary=b" },
    400,
    "malformed",
  ],
  [
    "a form that names two models",
    "/v1/audio/transcriptions",
    form("plain", "file", field("Model", "other")),
    { "content-type": `multipart/form-data; boundary=${boundary}` },
    400,
    "model",
  ],
  [
    "a form whose names can be read in two ways",
    "/v1/audio/transcriptions",
    `--b\r\nContent-Disposition: form-data; name="mo\\del"\r\n\r\nplain\r\n--b--\r\n`,
    { "content-type": "multipart/form-data; boundary=b" },
    400,
    "name",
  ],
  ["a bound twice", "/v1/completions", twice("max_tokens"), {}, 400, "has max_tokens more"],
  ["a number of answers twice", "/v1/completions", twice("n"), {}, 400, "has n more"],
  ["a prompt twice", "/v1/completions", twice("prompt"), {}, 400, "has prompt more"],
  ["a version twice", "/v1/v1/embeddings", embed, {}, 404, "repeats"],
  ["an endpoint twice", "/v1/embeddings/embeddings", embed, {}, 404, "repeats"],
  ["an endpoint behind another", "/v1/chat/completions/v1/embeddings", embed, {}, 404, "repeats"],
  ["no version", "/audio/speech", embed, {}, 404, "/v1/audio/speech"],
];

function twice(name: string): string {
  return `{"model":"plain","${name}":1,"${name}":9000}`;
}

for (const [name, path, body, headers, status, said] of badInputs) {
  Deno.test(`relay refuses ${name}`, async () => {
    await using upstream = startByteUpstream(answerOf(cases[0]));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
    const response = await post(gateway, path, body, { headers });
    const { error } = await response.json();
    assertEquals(response.status, status);
    assertStringIncludes(error.message, said);
    assertEquals(upstream.seen.length, 0);
  });
}

Deno.test("relay: the error for another method names the right one", async () => {
  await using gateway = await startRelay([]);
  const response = await fetch(`${gateway.base}/v1/embeddings`);
  assertEquals(response.status, 405);
  assertStringIncludes((await response.json()).error.message, "POST");
});

Deno.test("relay: the embedded model has no vectors and says so", async () => {
  await using gateway = await startRelay([]);
  const body = '{"model":"tessera-echo","input":"a"}';
  const { error } = await (await post(gateway, "/v1/embeddings", body)).json();
  assertEquals(error.code, "endpoint_not_served");
});

/** Limits of a key that apply to these endpoints too. */
const bounds: Readonly<Record<string, { key: Record<string, unknown>; code: string }>> = {
  "a model that the key may not use": { key: { models: ["other"] }, code: "model_not_allowed" },
  "a group without chat-completions": { key: { group: "apart" }, code: "format_not_allowed" },
};

for (const [name, { key, code }] of Object.entries(bounds)) {
  Deno.test(`relay: ${name} is refused before anything is sent`, async () => {
    await using upstream = startByteUpstream(answerOf(cases[3]));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)], {
      keys: [{ name: "bound", group: "default", value: testKey, ...key }],
      groups: [{ id: "apart", formats: ["messages"] }],
    });
    const body = '{"model":"plain","prompt":"a cat"}';
    const { error } = await (await post(gateway, "/v1/images/generations", body)).json();
    assertEquals([error.code, upstream.seen.length], [code, 0]);
    assertEquals((await auditStore(gateway.parts.store)).differences, []);
  });
}

Deno.test("relay: a budget that is used up is refused before anything is sent", async () => {
  await using upstream = startByteUpstream(answerOf(cases[3]));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)], {
    keys: [{
      name: "bound",
      group: "default",
      value: testKey,
      budget: { usd: 0.322, period: "total" },
    }],
  });
  const body = '{"model":"plain","prompt":"a cat"}';
  const ask = () => post(gateway, "/v1/images/generations", body);
  assertEquals((await ask()).status, 200);
  const { error } = await (await ask()).json();
  assertEquals([error.code, upstream.seen.length], ["insufficient_quota", 1]);
  assertEquals((await auditStore(gateway.parts.store)).differences, []);
});

for (const { size, bytes } of bodySizes) {
  Deno.test(`relay: a caller of ${size} that leaves before the answer ends the upstream's work, and frees its place`, async () => {
    await using upstream = startByteUpstream(() => new Response(new ReadableStream()));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)], {
      keys: [{ name: "bound", group: "default", value: testKey, limits: { concurrency: 1 } }],
    });
    const body = JSON.stringify({ model: "plain", input: words(bytes) });
    const first = await rawCall(gateway.base, { path: "/v1/embeddings", body });
    await until(() => upstream.seen.length === 1, "the upstream was not asked");
    first.reset();
    await aborted(upstream.seen[0]);
    const { outcome, usageSource, costNanoUsd } = await onlyRow(gateway);
    assertEquals([outcome, usageSource, costNanoUsd], ["client_gone", "none", undefined]);
    const second = await rawCall(gateway.base, { path: "/v1/embeddings", body });
    await until(() => upstream.seen.length === 2, "the place was not freed");
    second.close();
    await aborted(upstream.seen[1]);
  });
}

Deno.test("relay completions: the answer is no longer than what is left pays for", async () => {
  const texts = cases.find(({ path }) => path === "/v1/completions");
  assert(texts);
  const budget = { usd: 0.002, period: "total" };
  const keys = [{ name: "bound", group: "default", value: testKey, budget }];
  for (const limit of ['"max_tokens":90000,', ""]) {
    await using upstream = startByteUpstream(answerOf(texts));
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)], { keys });
    const body = `{${limit}"model":"plain", "prompt":"a cat","x_unknown":1.0}`;
    const answer = await post(gateway, "/v1/completions", body);
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
    const sent = new TextDecoder().decode(upstream.seen[0].bytes);
    const { max_tokens: tokens } = JSON.parse(sent);
    assert(tokens > 500 && tokens <= 1_000, `${tokens}`); // at $2 a million
    assertStringIncludes(sent, '"model":"plain", "prompt":"a cat","x_unknown":1.0}');
    assertStringIncludes(answer.headers.get("tessera-notes") ?? "", "limits.maxOutputTokens");
    const strict = await post(gateway, "/v1/completions", body, {
      headers: { "tessera-strict": "true" },
    });
    assertEquals([strict.status, upstream.seen.length], [400, 1]);
    await strict.body?.cancel();
  }
});

Deno.test("relay: an endpoint without an output limit is reserved whole or refused", async () => {
  const budget = { usd: 0.0005, period: "total" };
  const keys = [{ name: "bound", group: "default", value: testKey, budget }];
  await using upstream = startByteUpstream(answerOf(cases[0]));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)], { keys });
  const input = "A sentence of some twenty characters. ".repeat(60);
  const ask = (path: string, body: object) =>
    post(gateway, path, JSON.stringify({ model: "plain", ...body }));
  assertEquals((await ask("/v1/embeddings", { input })).status, 402);
  assertEquals((await ask("/v1/rerank", { query: "q", documents: [input] })).status, 402);
  assertEquals((await ask("/v1/audio/speech", { input: "hello there", voice: "a" })).status, 402);
  assertEquals((await ask("/v1/images/generations", { prompt: "a cat" })).status, 402);
  assertEquals(upstream.seen.length, 0);
  assertEquals((await ask("/v1/embeddings", { input: "short" })).status, 200);
});

Deno.test("relay: a call too many at the same time is refused", async () => {
  const refused = Promise.withResolvers<void>();
  await using upstream = startByteUpstream(async () => {
    await refused.promise;
    return answerOf(cases[0])();
  });
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)], {
    keys: [{ name: "bound", group: "default", value: testKey, limits: { concurrency: 1 } }],
  });
  const ask = () => post(gateway, "/v1/embeddings", embed);
  const calls = [ask(), ask()];
  const timer = setTimeout(refused.resolve, 5_000); // if neither is refused
  await Promise.race(calls);
  clearTimeout(timer);
  refused.resolve();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assertEquals(statuses.sort(), [200, 429]);
  assertEquals((await ask()).status, 200);
});

const chunk = (text: string) =>
  `data: {"id":"c","object":"text_completion","choices":[{"index":0,"text":"${text}","finish_reason":null}],"usage":null}\n\n`;
const usageChunk =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6}}\n\n';
const done = "data: [DONE]\n\n";
const streamed = '{"model":"plain","prompt":"Once","stream":true}';

const events = (texts: readonly string[], options?: Parameters<typeof pieces>[1]) => () =>
  new Response(pieces(texts, options), { headers: { "content-type": "text/event-stream" } });

Deno.test("relay completions: a stream passes unchanged, and is metered without a request for usage", async () => {
  await using upstream = startByteUpstream(
    events([chunk("a"), ": c\n\n", chunk("b"), usageChunk, done]),
  );
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const response = await post(gateway, "/v1/completions", streamed);
  const said = ": tessera-cost 0.000008\n\n";
  assertEquals(await response.text(), chunk("a") + ": c\n\n" + chunk("b") + said + done);
  assertStringIncludes(new TextDecoder().decode(upstream.seen[0].bytes), '"include_usage":true');
  const { stream, outcome, usage, costNanoUsd } = await onlyRow(gateway);
  assertEquals([stream, outcome, usage?.inputTokens, usage?.outputTokens], [
    true,
    "completed",
    4,
    2,
  ]);
  assertEquals(costNanoUsd, 8_000n);
});

Deno.test("relay completions: a stream cut short ends in an error and is charged for what was said", async () => {
  await using upstream = startByteUpstream(events([chunk("some words")]));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const text = await (await post(gateway, "/v1/completions", streamed)).text();
  assertStringIncludes(text, "upstream_truncated");
  assert(!text.includes("[DONE]"));
  const { outcome, usage, usageSource } = await onlyRow(gateway);
  assertEquals([outcome, usage?.outputTokens, usageSource], ["truncated", 2, "counted"]);
});

Deno.test("relay completions: an error before the first word keeps its status and moves on", async () => {
  await using broken = startByteUpstream(
    events(['data: {"error":{"message":"busy","code":503}}\n\n']),
  );
  await using good = startByteUpstream(events([chunk("a"), usageChunk, done]));
  await using gateway = await startRelay([
    upstreamEntry("broken", broken.base, { priority: 1 }),
    upstreamEntry("good", good.base),
  ]);
  assertEquals(
    await (await post(gateway, "/v1/completions", streamed)).text(),
    `${chunk("a")}: tessera-cost 0.000008\n\n${done}`,
  );
});

Deno.test("relay transcriptions: a stream of words ends with its usage", async () => {
  const parts = [
    'data: {"type":"transcript.text.delta","delta":"hel"}\n\n',
    'data: {"type":"transcript.text.delta","delta":"lo"}\n\n',
    'data: {"type":"transcript.text.done","text":"hello","usage":{"type":"tokens","input_tokens":12,"input_token_details":{"audio_tokens":12},"output_tokens":3}}\n\n',
  ];
  await using upstream = startByteUpstream(events(parts));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const sent = form("plain", "file", field("stream", "true"));
  const response = await post(gateway, "/v1/audio/transcriptions", sent, {
    headers: { "content-type": typeOf(sent) },
  });
  const [first, second, last] = parts;
  assertEquals(await response.text(), `${first}${second}: tessera-cost 0.000054\n\n${last}`);
  const { stream, usage } = await onlyRow(gateway);
  assertEquals([stream, usage?.audioInputTokens, usage?.outputTokens], [true, 12, 3]);
});

/** Speech that falls silent behind its first piece, and breaks off once `cut` resolves. */
function speech(cut: Promise<void> = new Promise(() => {})) {
  return () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(recording),
        pull: (controller) => cut.then(() => controller.error(new Error("The line is cut"))),
      }, { highWaterMark: 0 }),
      { headers: { "content-type": "audio/mpeg" } },
    );
}

const speak = '{"model":"plain","input":"Read me out","voice":"alloy"}';

for (const { size, bytes } of bodySizes) {
  Deno.test(`relay speech: the first bytes do not wait for the last, and a caller of ${size} leaves behind them`, async () => {
    await using upstream = startByteUpstream(speech());
    await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
    const caller = new AbortController();
    const large = JSON.stringify({ ...JSON.parse(speak), input: words(bytes) });
    const response = await post(gateway, "/v1/audio/speech", large, { signal: caller.signal });
    const reader = response.body?.getReader();
    assertEquals((await reader?.read())?.value, recording);
    caller.abort();
    await aborted(upstream.seen[0]);
    const { outcome, usageSource, costNanoUsd = 0n } = await onlyRow(gateway);
    assertEquals([outcome, usageSource, costNanoUsd > 0n], ["client_gone", "counted", true]);
  });
}

Deno.test("relay speech: what breaks off has no clean end", async () => {
  const { promise: heard, resolve: cut } = Promise.withResolvers<void>();
  await using upstream = startByteUpstream(speech(heard));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const response = await post(gateway, "/v1/audio/speech", speak);
  const reader = response.body?.getReader();
  assertEquals((await reader?.read())?.value, recording);
  cut(); // Deno 2.8.2 drops the head of a response whose body breaks off before it was flushed
  const rest = await reader?.read().then(({ done }) => done ? "whole" : "more", () => "broken");
  assertEquals(rest, "broken");
  assertEquals((await onlyRow(gateway)).outcome, "truncated");
});

Deno.test("relay: a form may be larger than JSON says and smaller than its own limit alone", async () => {
  await using upstream = startByteUpstream(answerOf(cases[6]));
  await using gateway = await startRelay([upstreamEntry("up", upstream.base)]);
  const large = new FormData();
  large.set("model", "plain");
  large.set("file", new Blob([new Uint8Array(27 * 1024 * 1024)]), "a.wav");
  const refused = await post(gateway, "/v1/audio/transcriptions", large);
  assertEquals([refused.status, (await refused.json()).error.code], [413, "body_too_large"]);
  const fitting = new FormData();
  fitting.set("model", "plain");
  fitting.set("file", new Blob([new Uint8Array(25 * 1024 * 1024)]), "a.wav");
  assertEquals((await post(gateway, "/v1/audio/transcriptions", fitting)).status, 200);
});

function aborted({ signal }: SeenBytes): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
