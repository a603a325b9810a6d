import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { GatewayError, type Note } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { Call } from "../../lib/http/call.ts";
import { assertNotesAllowed, streamResponse, wholeResponse } from "../../lib/http/respond.ts";
import type { Answer } from "../../lib/http/stream/answer.ts";
import type { Settled } from "../../lib/http/stream/transcoder.ts";
import type { Outgoing, StreamResult } from "../../lib/http/stream/transcoder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const request = new Request("http://gateway.test/v1/messages", { method: "POST" });
const call: Call = {
  id: "req_1",
  request,
  url: new URL(request.url),
  codec: codecs["chat-completions"],
  endpoint: codecs["chat-completions"].endpoints[0],
  wirePath: "/chat/completions",
  startedAtMs: 0,
  startedAt: 0,
  ip: "",
  signal: request.signal,
};
const completed: StreamResult = { outcome: "completed" };
const limits = {
  sseKeepAliveMs: 60_000,
  notesHeaderBytesMax: 1_024,
  answerTailMs: 1_000,
  readTimeoutMs: 60_000,
};

type StreamAnswer = Extract<Answer, { type: "stream" }>;

/** A stream with exactly these pieces. */
function streamOf(outgoing: readonly Outgoing[]): StreamAnswer {
  const waiting = [...outgoing];
  return {
    type: "stream",
    kind: "bytes",
    framing: "sse",
    first: [],
    source: { read: () => Promise.resolve(new Uint8Array(0)), cancel: () => {}, release: () => {} },
    transcoder: {
      isFinished: false,
      push: () => waiting.shift() ?? {},
      end: () => ({}),
      fail: () => ({}),
      result: () => completed,
    },
  };
}

/** Returns true if a promise is still pending after all other work has run. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol();
  const turn = new Promise((resolve) => setTimeout(resolve, 0, open));
  return await Promise.race([promise, turn]) === open;
}

Deno.test("wholeResponse states the cost that was settled", async () => {
  const answer = { type: "whole", content: "{}", result: completed } as const;
  const response = wholeResponse(call, answer, { costNanoUsd: 1_500n }, { notes: [], limits });
  assertEquals(response.headers.get("tessera-cost"), "0.0000015");
  assertEquals(await response.text(), "{}");
});

Deno.test("streamResponse: of a stream only the terminal event waits until the usage is durable", async () => {
  const durable = Promise.withResolvers<Settled>();
  const answer = streamOf([{ bytes: bytes("first") }, { terminal: bytes("last") }]);
  const response = streamResponse(call, answer, () => durable.promise, { notes: [], limits });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals((await reader?.read())?.value, "first");
  const last = reader?.read() ?? Promise.resolve();
  assert(await isPending(last), "the end does not go out before the row is there");
  durable.resolve({ costNanoUsd: 1_500n });
  assertEquals((await last)?.value, ": tessera-cost 0.0000015\n\nlast");
  assertEquals((await reader?.read())?.done, true);
});

Deno.test("streamResponse: usage that cannot be stored is no clean end", async () => {
  const answer = streamOf([{ terminal: bytes("last") }]);
  const settle = () => Promise.reject(new Error("the store is gone"));
  const response = streamResponse(call, answer, settle, { notes: [], limits });
  let text: string | undefined;
  try {
    text = await response.text();
  } catch { /* as it must be */ }
  assertEquals(text, undefined);
});

Deno.test("streamResponse: a stream that is silent is kept alive", async () => {
  const answer = {
    ...streamOf([]),
    source: { read: () => new Promise(() => {}), cancel: () => {}, release: () => {} },
  } as StreamAnswer; // sound: a stream, as `streamOf` made it
  const { promise: settled, resolve } = Promise.withResolvers<StreamResult>();
  const settle = (result: StreamResult) => {
    resolve(result);
    return Promise.resolve({});
  };
  const options = { notes: [], limits: { ...limits, sseKeepAliveMs: 5 } };
  const response = streamResponse(call, answer, settle, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const _ of [1, 2]) assertEquals((await reader?.read())?.value, ": keep-alive\n\n");
  await reader?.cancel();
  const { outcome, delivered } = await settled;
  assertEquals([outcome, delivered], ["client_gone", undefined]);
});

const note = (path: string): Note => ({ path, action: "dropped", reason: "It has no place" });

Deno.test("wholeResponse: as many notes as fit go into tessera-notes, and how many more there are", () => {
  const notes = Array.from({ length: 100 }, (_, index) => note(`messages[${index}].näme`));
  const answer = { type: "whole", content: "{}", result: completed } as const;
  const response = wholeResponse(call, answer, {}, { notes, limits });
  const header = response.headers.get("tessera-notes") ?? "";
  assert(header.length <= 1_024, `${header.length} bytes`);
  assertStringIncludes(header, "messages[0].n?me dropped: It has no place; ");
  const shown = header.split("; ").length - 1;
  assertStringIncludes(header, `; and ${100 - shown} more`);
});

Deno.test("assertNotesAllowed refuses a loss only at the caller's request", () => {
  const strict = new Headers({ "tessera-strict": "True" });
  assertNotesAllowed(new Headers(), [note("seed")]);
  assertNotesAllowed(strict, []);
  const error = assertThrows(() => assertNotesAllowed(strict, [note("seed")]), GatewayError);
  assertEquals([error.code, error.param], ["conversion_lossy", "seed"]);
});
