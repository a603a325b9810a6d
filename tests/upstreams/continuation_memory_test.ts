import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  eventsOf,
  type Part,
} from "../../lib/canonical/mod.ts";
import { ContinuationMemory, StepWatcher } from "../../lib/upstreams/mod.ts";
import { bareRequest } from "../formats/requests/bare_request.ts";

const thought: Part = {
  type: "reasoning",
  text: "Need weather",
  visibility: "summary",
  continuation: { issuer: "messages", data: "sig" },
};
const call: Part = {
  type: "tool-call",
  id: "call_1",
  name: "get",
  arguments: "{}",
  kind: "function",
};
const text: Part = { type: "text", text: "Looking" };

function requestWith(...parts: Part[]): CanonicalRequest {
  return {
    ...bareRequest,
    stream: false,
    turns: [{ role: "user", parts: [text] }, { role: "assistant", parts }],
  };
}

const partsOf = (request: CanonicalRequest) => request.turns[1].parts;

Deno.test("ContinuationMemory puts a signed thought back before the call that it led to", () => {
  const memory = new ContinuationMemory(() => 0);
  memory.remember("a", [thought, text, call]);
  assertEquals(partsOf(memory.restored("a", requestWith(text, call))), [thought, text, call]);
});

Deno.test("ContinuationMemory puts a call's own proof back on that call", () => {
  const memory = new ContinuationMemory(() => 0);
  const proven: Part = { ...call, continuation: { issuer: "generate-content", data: "sig" } };
  memory.remember("a", [proven, { ...call, id: "call_2" }]);
  assertEquals(partsOf(memory.restored("a", requestWith(call, { ...call, id: "call_2" }))), [
    proven,
    { ...call, id: "call_2" },
  ]);
});

Deno.test("ContinuationMemory replaces the bare thought that the caller replayed", () => {
  const memory = new ContinuationMemory(() => 0);
  memory.remember("a", [thought, call]);
  assertEquals(
    partsOf(
      memory.restored(
        "a",
        requestWith({ type: "reasoning", text: "Need weather", visibility: "raw" }, call),
      ),
    ),
    [thought, call],
  );
});

Deno.test("ContinuationMemory leaves alone what brings its own proof", () => {
  const memory = new ContinuationMemory(() => 0);
  memory.remember("a", [thought, call]);
  const request = requestWith(
    { ...thought, continuation: { issuer: "messages", data: "own" } },
    call,
  );
  assertStrictEquals(memory.restored("a", request), request);
});

Deno.test("ContinuationMemory replaces a thought that the caller took for one of its own format", () => {
  const memory = new ContinuationMemory(() => 0);
  memory.remember("a", [thought, call]);
  const continuation = { issuer: "chat-completions", data: '{"reasoning_content":true}' } as const;
  assertEquals(partsOf(memory.restored("a", requestWith({ ...thought, continuation }, call))), [
    thought,
    call,
  ]);
  const proven: Part = { ...call, continuation: { issuer: "generate-content", data: "sig" } };
  const shown = { ...thought, continuation };
  memory.remember("b", [{ type: "reasoning", text: "Need weather", visibility: "raw" }, proven]);
  assertEquals(partsOf(memory.restored("b", requestWith(shown, call))), [shown, proven]);
  const other = requestWith({ ...shown, text: "Something else" }, call);
  assertStrictEquals(memory.restored("b", other), other);
});

Deno.test("ContinuationMemory never gives one account what another's answer said", () => {
  const memory = new ContinuationMemory(() => 0);
  memory.remember("a", [thought, call]);
  const request = requestWith(call);
  assertStrictEquals(memory.restored("b", request), request);
});

Deno.test("ContinuationMemory forgets after its time and beyond its size", () => {
  const clock = { now: 0 };
  const memory = new ContinuationMemory(() => clock.now, { lifetimeMs: 100, charsMax: 1000 });
  memory.remember("a", [thought, call]);
  clock.now = 101;
  assertEquals(partsOf(memory.restored("a", requestWith(call))), [call]);
  for (let n = 0; n < 50; n++) memory.remember("a", [thought, { ...call, id: `call_${n}` }]);
  assertEquals(partsOf(memory.restored("a", requestWith({ ...call, id: "call_0" }))), [{
    ...call,
    id: "call_0",
  }]);
  assertEquals(partsOf(memory.restored("a", requestWith({ ...call, id: "call_49" }))).length, 2);
});

Deno.test("StepWatcher gathers thoughts and calls from a stream, without the text", () => {
  const watcher = new StepWatcher();
  const events: Iterable<CanonicalEvent> = eventsOf({
    id: "x",
    model: "m",
    alternatives: [{ parts: [thought, text, call], finishReason: "tool-calls" }],
  });
  for (const event of events) watcher.push(event);
  assertEquals(watcher.parts, [thought, { ...call, arguments: "" }]);
});
