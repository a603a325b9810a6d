import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { concatenated } from "../../lib/bytes.ts";
import { withoutBase64 } from "../../lib/gateway/base64_runs.ts";
import type { CallRecording } from "../../lib/gateway/call_recording.ts";
import { CallRecordings } from "../../lib/gateway/call_recordings.ts";
import { atOnce } from "../../lib/pace.ts";
import { getRecordedContent, type RecordedContent } from "../../lib/store/recordings/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { testOnStores } from "../store/temp_store.ts";

const encoder = new TextEncoder();
const textOf = (bytes: Uint8Array = new Uint8Array()) => new TextDecoder().decode(bytes);

function elided(text: string): string {
  return textOf(concatenated(atOnce(withoutBase64(encoder.encode(text))).pieces));
}

const run = "iVBORw0KGgoAAAANSUhEUg/+".repeat(100);
const mark = `[${run.length} bytes of base64 not recorded]`;

Deno.test("withoutBase64 leaves out long runs alone, and JSON stays JSON", () => {
  const prose = "A sentence with words. ".repeat(500);
  assertEquals(elided(prose), prose);
  assertEquals(
    elided(`{"a":"${run}","b":"${prose}","c":"${run}"}`),
    `{"a":"${mark}","b":"${prose}","c":"${mark}"}`,
  );
  assertEquals(elided(run.slice(0, 1_023)), run.slice(0, 1_023));
  assertEquals(
    elided(`data:image/png;base64,${run}==`),
    `data:image/png;base64,[${run.length + 2} bytes of base64 not recorded]`,
  );
});

Deno.test("withoutBase64 keeps the quotes of JSON within JSON", () => {
  const inner = JSON.stringify({ image: run, escaped: run.replaceAll("/", "\\/"), end: "\\" });
  const outer = JSON.parse(elided(JSON.stringify({ arguments: inner })));
  assertEquals(JSON.parse(outer.arguments).image, mark);
});

Deno.test("withoutBase64 gives way to other work within a long run", () => {
  let steps = 0;
  for (const _ of withoutBase64(new Uint8Array(8 * 1024 * 1024).fill(65))) steps++;
  assert(steps >= 7, `${steps} steps`);
});

const limits = {
  recordedContentDays: 1,
  recordedBodyBytesMax: 4_000,
  recordedMemoryBytesMax: 10_000,
};
const key = { id: "playground_owner", accountId: "owner", digest: "", recordUntilMs: 2_000 };

interface Ended {
  readonly content: RecordedContent | undefined;
  readonly failures: unknown[];
}

async function recordedBy(
  store: Store,
  steps: (recording: CallRecording, recordings: CallRecordings) => Promise<unknown>,
): Promise<Ended> {
  const failures: unknown[] = [];
  const recordings = new CallRecordings(store, {
    limits,
    now: () => 1_000,
    report: (cause) => failures.push(cause),
  });
  await steps(begun(recordings, "req_1"), recordings);
  await recordings.settled();
  const place = { id: "req_1", accountId: "owner", keyId: key.id };
  const found = await getRecordedContent(store, place, 1_000);
  return { content: found?.content, failures };
}

function begun(recordings: CallRecordings, id: string): CallRecording {
  const call = { id, wirePath: "/chat/completions", startedAtMs: 1_000 };
  const recording = recordings.begin(call as never, { key } as never);
  assert(recording);
  return recording;
}

function asked(recording: CallRecording, text: string): void {
  recording.asked({ read: { text, bytes: encoder.encode(text), body: {} } });
}

function streamOf(pieces: readonly Uint8Array[]): Response {
  return new Response(ReadableStream.from(pieces) as ReadableStream<Uint8Array>, {
    headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
  });
}

testOnStores("a recording: long bodies are cut between characters, with a note", async (store) => {
  const { content } = await recordedBy(store, async (recording) => {
    asked(recording, `a${"é".repeat(3_000)}`);
    await (await recording.answered(Response.json({ ok: true }))).text();
  });
  assertEquals(content?.request?.isCut, true);
  assertEquals(content?.request?.bytes, 6_001);
  assertEquals(textOf(content?.request?.text), `a${"é".repeat(1_999)}`);
  assertEquals(content?.answer?.isCut, undefined);
});

testOnStores("a recording: what exceeds its memory is dropped with a note", async (store) => {
  const { content } = await recordedBy(store, async (recording) => {
    asked(recording, "x ".repeat(6_000));
    const pieces = Array.from({ length: 8 }, () => encoder.encode("y ".repeat(1_000)));
    const response = await recording.answered(streamOf(pieces));
    assertEquals((await response.text()).length, 16_000); // the caller gets all of it
  });
  assertEquals(content?.request?.missing, "busy");
  assertEquals(content?.request?.text.length, 0);
  assertEquals(content?.answer?.isCut, true);
});

testOnStores("a recording: small pieces count with the memory that each takes", async (store) => {
  const { content } = await recordedBy(store, async (recording) => {
    asked(recording, "{}");
    const pieces = Array.from({ length: 100 }, () => encoder.encode("data: 1\n\n"));
    await (await recording.answered(streamOf(pieces))).text();
  });
  assertEquals(content?.answer?.isCut, true); // 900 bytes, and 100 arrays
  assertEquals(content?.answer?.bytes, 900);
});

const last = "the last ".repeat(400);

testOnStores("a recording: memory is free again once contents are stored", async (store) => {
  const { content, failures } = await recordedBy(store, async (recording, recordings) => {
    for (let n = 2; n < 20; n++) {
      const other = begun(recordings, `req_${n}`);
      asked(other, "x ".repeat(2_000));
      await other.answered(Response.json({}));
      await recordings.settled();
    }
    asked(recording, last);
    await recording.answered(Response.json({}));
  });
  assertEquals(textOf(content?.request?.text), last);
  assertEquals(failures, []);
});

testOnStores(
  "a recording: a caller that leaves in the middle leaves the part it got",
  async (store) => {
    const { content } = await recordedBy(store, async (recording) => {
      asked(recording, "{}");
      const response = await recording.answered(
        streamOf([encoder.encode("data: 1\n\n"), encoder.encode("data: 2\n\n")]),
      );
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    });
    assertStringIncludes(textOf(content?.answer?.text), "data: 1");
  },
);

testOnStores("a recording: bytes that are no text are counted, not kept", async (store) => {
  const { content } = await recordedBy(store, async (recording) => {
    const sound = new Response(new Uint8Array(500), { headers: { "content-type": "audio/mpeg" } });
    const answer = await recording.answered(sound);
    assertEquals((await answer.bytes()).length, 500);
  });
  const { missing, bytes, text } = content?.answer ?? {};
  assertEquals([missing, bytes, text?.length], ["binary", 500, 0]);
});

testOnStores("a recording: a store that fails or is slow harms no call", async (store) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { ...store, kv: { atomic: () => ({ set: () => {}, commit: () => promise }) } };
  const recordings = new CallRecordings(slow as never, {
    limits,
    now: () => 1_000,
    report: () => {},
  });
  for (let n = 0; n < 1_200; n++) {
    const call = { id: `req_${n}`, wirePath: "/", startedAtMs: 1_000 };
    const recording = recordings.begin(call as never, { key } as never);
    if (n >= 1_000) assertEquals(recording, undefined); // no more than so many wait
    await recording?.answered(Response.json({}));
  }
  resolve();
  await recordings.settled();
});
