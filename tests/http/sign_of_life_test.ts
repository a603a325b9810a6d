import { assertEquals } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { Call } from "../../lib/http/call.ts";
import { streamResponse } from "../../lib/http/respond.ts";
import { earlyResponse } from "../../lib/http/stream/early_response.ts";
import { earlySigns, signsOfLife } from "../../lib/http/stream/framing.ts";
import { SseReader } from "../../lib/http/stream/sse.ts";
import type { StreamResult } from "../../lib/http/stream/transcoder.ts";
import { textSoFar } from "../e2e/conversion/broken_body.ts";
import { readAsOlderSdk } from "../e2e/conversion/older_google_stream.ts";

const codec = codecs["generate-content"];
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const dataOf = (text: string) => new SseReader().push(encode(text)).map(({ event }) => event.data);

/** A step that is not a text of the stream. */
const sign = Symbol("sign");
const end = Symbol("end");

const cases = [
  { name: "no sign, an event", steps: ['data: {"a":1}\n\n', end], sent: 'data: {"a":1}\n\n' },
  { name: "sign, event", steps: [sign, 'data: {"a":1}\n\n', end], sent: 'data:  {"a":1}\n\n' },
  {
    name: "sign, sign, event",
    steps: [sign, sign, 'data: {"a":1}\n\n', end],
    sent: 'data:   {"a":1}\n\n',
  },
  {
    name: "event, sign, two events at once, sign, event",
    steps: [
      'data: {"a":1}\n\n',
      sign,
      'data: {"a":2}\n\ndata: {"a":3}\n\n',
      sign,
      'data: {"a":4}\n\n',
      end,
    ],
    sent: 'data: {"a":1}\n\ndata:  {"a":2}\n\ndata: {"a":3}\n\ndata:  {"a":4}\n\n',
  },
  {
    name: "signs of a stream within",
    steps: [sign, sign, "data: ", " ", ' {"a":1}\n\n', 'data: {"a":2}\n\n', end],
    sent: 'data:     {"a":1}\n\ndata: {"a":2}\n\n',
  },
  {
    name: "a field without a space",
    steps: [sign, 'data:{"a":1}\n\n', end],
    sent: 'data: {"a":1}\n\n',
  },
  {
    name: "an upstream's frame with CRLF",
    steps: [sign, 'data: {"a":1}\r\n\r\n', sign, 'data: {"a":2}\r\n\r\n', end],
    sent: 'data:  {"a":1}\r\n\r\ndata:  {"a":2}\r\n\r\n',
  },
  {
    name: "an upstream's frame behind its comments, blank lines and other fields",
    steps: [sign, ': data: no\r\n\r\n\nevent: message\r\ndata: {"a":1}\r\n\r\n', end],
    sent: 'data:  {"a":1}\r\n\r\n',
  },
  {
    name: "an upstream's frame behind a byte-order mark",
    steps: [sign, '\ufeffdata: {"a":1}\n\n', end],
    sent: 'data:  {"a":1}\n\n',
  },
  {
    name: "an upstream's frame of several lines",
    steps: [sign, 'data: {"a":\ndata: 1}\n\n', end],
    sent: 'data:  {"a":\ndata: 1}\n\n',
  },
  { name: "no bytes", steps: [sign, "", 'data: {"a":1}\n\n'], sent: 'data:  {"a":1}\n\n' },
  { name: "an empty field", steps: [sign, "data:", ' {"a":1}\n\n'], sent: 'data:   {"a":1}\n\n' },
  {
    name: "bytes without data",
    steps: [sign, ": a comment\n\n", end],
    sent: "data: {}\n\n: a comment\n\n",
  },
  {
    name: "a close behind signs",
    steps: ['data: {"a":1}\n\n', sign, sign, end, end],
    sent: 'data: {"a":1}\n\ndata:  {}\n\n',
  },
] as const;

for (const { name, steps, sent } of cases) {
  Deno.test(`earlySigns of a format without comments: ${name}`, () => {
    const signs = earlySigns(codec, "sse");
    const out = steps.map((step) => {
      if (step === sign) return signs.next();
      return step === end ? signs.end() : signs.continuedBy(encode(step));
    });
    assertEquals(out.map(decode).join(""), sent);
    for (const data of dataOf(sent)) JSON.parse(data);
  });
}

Deno.test("signsOfLife: other formats and framings keep their signs, and events stay as they are", () => {
  const signs = {
    "chat-completions": signsOfLife(codecs["chat-completions"], "sse"),
    responses: signsOfLife(codecs.responses, "sse"),
    messages: signsOfLife(codecs.messages, "sse"),
    "messages, early": earlySigns(codecs.messages, "sse"),
    "a JSON array": signsOfLife(codec, "json-array"),
    "a JSON array, early": earlySigns(codec, "json-array"),
    bytes: signsOfLife(codec, { contentType: "audio/mpeg" }),
  };
  const sent = Object.values(signs).map((one) =>
    one && [one.next(), one.next(), one.continuedBy(encode("data: 1\n\n")), one.end()].map(decode)
  );
  const twice = (text: string) => [text, text, "data: 1\n\n", ""];
  assertEquals(sent, [
    twice(": keep-alive\n\n"),
    twice(": keep-alive\n\n"),
    twice('event: ping\ndata: {"type": "ping"}\n\n'),
    twice(": keep-alive\n\n"),
    twice("\n"),
    twice("\n"),
    undefined,
  ]);
});

const request = new Request("http://gateway.test/v1beta/models/m:streamGenerateContent", {
  method: "POST",
});
const call: Call = {
  id: "req_1",
  request,
  url: new URL(request.url),
  codec,
  endpoint: codec.endpoints[0],
  wirePath: "/models/m:streamGenerateContent",
  startedAtMs: 0,
  startedAt: 0,
  ip: "",
  signal: request.signal,
};

const early = { framing: "sse", keepAliveMs: 5, fail: () => Promise.resolve() } as const;

/** Reads this many keep-alives, then lets the answer start; returns the body's whole text. */
async function readPastSigns({ body }: Response, count: number, release: () => void) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text += next.value;
    if (text.length >= "data: ".length + count) release();
  }
  return text;
}

Deno.test("earlyResponse: an answer that is silent itself continues the open line", async () => {
  const { promise: answering, resolve } = Promise.withResolvers<Response>();
  const inner = ["data: ", " ", ' {"candidates":[]}\n\n', 'data: {"candidates":[]}\n\n'];
  const answer = new Response(ReadableStream.from(inner.map(encode)));
  const text = await readPastSigns(
    earlyResponse(call, answering, early),
    3,
    () => resolve(answer),
  );
  assertEquals(readAsOlderSdk(text), [{ candidates: [] }, { candidates: [] }]);
  assertEquals(text.match(/^data: {6,}\{/g)?.length, 1);
});

Deno.test("earlyResponse: a failure continues the open line", async () => {
  const { promise: answering, reject } = Promise.withResolvers<Response>();
  const response = earlyResponse(call, answering, early);
  const fail = () => reject(new GatewayError("upstream_error", "It failed"));
  const reader = response.body?.getReader();
  let text = "";
  while (text.length < 8) text += decode((await reader?.read())?.value ?? encode(""));
  fail();
  reader?.releaseLock();
  text += await textSoFar(response);
  const [said] = readAsOlderSdk(text);
  assertEquals(JSON.parse(JSON.stringify(said)).error.message, "It failed");
});

Deno.test("earlyResponse: an answer without a body leaves no open line", async () => {
  const { promise: answering, resolve } = Promise.withResolvers<Response>();
  const text = await readPastSigns(
    earlyResponse(call, answering, early),
    1,
    () => resolve(new Response(null)),
  );
  assertEquals(readAsOlderSdk(text), [{}]);
});

const completed: StreamResult = { outcome: "completed" };

for (const terminal of ['data: {"candidates":[]}\n\n', ""]) {
  Deno.test(`streamResponse: the end of a silent stream is readable: ${terminal.length} bytes`, async () => {
    const { promise: item, resolve } = Promise.withResolvers<Uint8Array>();
    const response = streamResponse(
      call,
      {
        type: "stream",
        kind: "bytes",
        framing: "sse",
        first: [],
        source: { read: () => item, cancel: () => {}, release: () => {} },
        transcoder: {
          isFinished: false,
          push: () => ({ terminal: encode(terminal) }),
          end: () => ({}),
          fail: () => ({}),
          result: () => completed,
        },
      },
      () => Promise.resolve({ costNanoUsd: 1n }),
      {
        notes: [{ path: "seed", action: "dropped", reason: "It has no place" }],
        limits: {
          sseKeepAliveMs: 5,
          notesHeaderBytesMax: 1_024,
          answerTailMs: 1_000,
          readTimeoutMs: 60_000,
        },
      },
    );
    const text = await readPastSigns(response, 2, () => resolve(encode("x")));
    assertEquals(readAsOlderSdk(text), [terminal === "" ? {} : { candidates: [] }]);
  });
}
