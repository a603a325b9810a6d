import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames, type Note } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { until } from "../../waiting.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { textSoFar } from "./broken_body.ts";
import { answered, ask, plainRequest, readStream, readWhole, streamOf } from "./format_pair.ts";
import { hostedAnswers, mustSay, picture } from "./hosted_answers.ts";

/** The notes of each answer for callers of all other formats; `messages` shows least. */
const noted: Readonly<Record<FormatName, readonly string[]>> = {
  "chat-completions": ["answer.native.search_results dropped"],
  responses: [
    "answer.parts[0] dropped",
    "answer.parts[1] emulated",
    "answer.parts[3].citations emulated",
  ],
  messages: ["answer.parts[1] emulated", "answer.parts[3].citations emulated"],
  "generate-content": ["answer.parts[0] emulated", "answer.native.groundingMetadata dropped"],
};

async function withPair(
  from: FormatName,
  run: (gateway: TestGateway) => Promise<void>,
  eventsMax?: number,
): Promise<void> {
  await using upstream = startUpstream((seen) =>
    answered(from, hostedAnswers[from], seen, eventsMax)
  );
  await using gateway = await startGateway(oneUpstream({ [from]: upstream.base }));
  await run(gateway);
}

async function rowOf({ parts }: TestGateway) {
  const { rows: [row] } = await listRequestLogs(parts.store, { limit: 1 });
  return row;
}

function answerNotes(notes: readonly Note[] = []): string[] {
  return notes.filter(({ path }) => path.startsWith("answer"))
    .map(({ path, action }) => `${path} ${action}`);
}

function assertSays(from: FormatName, text: string): void {
  for (const said of mustSay[from]) assertStringIncludes(text, JSON.stringify(said).slice(1, -1));
}

for (const from of formatNames) {
  for (const to of formatNames.filter((to) => to !== from)) {
    Deno.test(`a whole answer of ${from} in ${to} keeps all that it can show, and notes the rest in the header and the row`, () =>
      withPair(from, async (gateway) => {
        const answer = await ask(gateway, to, plainRequest);
        const { text } = await readWhole(to, answer);
        assertSays(from, text);
        const row = await rowOf(gateway);
        const header = answer.headers.get("tessera-notes") ?? "";
        for (const note of noted[from]) {
          assert(answerNotes(row.notes).includes(note), `${note} of ${answerNotes(row.notes)}`);
        }
        assertStringIncludes(header, answerNotes(row.notes)[0]);
        assert(header.length <= 1024);
      }));

    Deno.test(`a streamed answer of ${from} in ${to} says the same, and notes the rest before its end and in the row`, () =>
      withPair(from, async (gateway) => {
        const whole = await readWhole(to, await ask(gateway, to, plainRequest));
        const inWhole = answerNotes((await rowOf(gateway)).notes);
        const answer = await ask(gateway, to, { ...plainRequest, stream: true });
        const { said, text } = await readStream(to, answer);
        assertSays(from, text);
        const inStream = answerNotes((await rowOf(gateway)).notes);
        assertEquals(inStream.length, inWhole.length);
        if (from !== "generate-content") { // in its streams the sources come behind the text, which the picture has ended
          assertEquals(said, whole.said);
          assertEquals(inStream.sort(), inWhole.sort());
        }
        const comments = text.split("\n").filter((line) => line.startsWith(": tessera-notes "));
        const taken = codecs[to].takesComments !== false;
        assertEquals(comments.length, taken ? 1 : 0);
        if (!taken) return;
        for (const note of noted[from]) assertStringIncludes(comments[0], note);
        assert(comments[0].length <= 1024 + 20);
        assert(
          !text.slice(text.indexOf(": tessera-notes")).includes(picture.slice(0, 99)) ||
            to === "responses",
        );
      }));

    Deno.test(`a streamed answer of ${from} in ${to} that breaks off has its notes in the row`, async () => {
      const events = streamOf(from, hostedAnswers[from]).length;
      await withPair(from, async (gateway) => {
        const answer = await ask(gateway, to, { ...plainRequest, stream: true });
        await textSoFar(answer);
        const row = await rowOf(gateway);
        assertEquals(row.outcome, "truncated");
        assert(answerNotes(row.notes).length > 0);
      }, events - 3);
    });
  }

  Deno.test(`answers of ${from} in their own format have no notes`, () =>
    withPair(from, async (gateway) => {
      const whole = await ask(gateway, from, plainRequest);
      assertEquals(await whole.json(), hostedAnswers[from]);
      assertEquals(whole.headers.get("tessera-notes"), null);
      const streamed = await ask(gateway, from, { ...plainRequest, stream: true });
      assert(!(await streamed.text()).includes("tessera-notes"));
      assertEquals((await rowOf(gateway)).notes, undefined);
    }));
}

for (const stream of [false, true]) {
  Deno.test(`an answer with notes reaches callers with tessera-strict, ${stream ? "streamed" : "whole"}`, async () => {
    const answer = { ...hostedAnswers["chat-completions"], system_fingerprint: "fp_1" };
    await using upstream = startUpstream((seen) => answered("chat-completions", answer, seen));
    await using gateway = await startGateway(oneUpstream({ "chat-completions": upstream.base }));
    for (const to of formatNames.filter((to) => to !== "chat-completions")) {
      const strict = { "tessera-strict": "true" };
      const response = await ask(gateway, to, { ...plainRequest, stream }, strict);
      await (stream ? readStream : readWhole)(to, response); // both assert status 200
      const { notes } = await rowOf(gateway);
      assert(answerNotes(notes).includes("answer.native.system_fingerprint dropped"), to);
    }
  });
}

Deno.test("a streamed answer whose caller leaves has its notes in the row", async () => {
  const events = streamOf("responses", hostedAnswers.responses).slice(0, -3);
  await using upstream = startUpstream(() =>
    new Response(pieces(events.map(sseText), { closes: false }), {
      headers: { "content-type": "text/event-stream" },
    })
  );
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  const answer = await ask(gateway, "messages", { ...plainRequest, stream: true });
  const reader = answer.body?.getReader();
  for (let read = ""; !read.includes("the answer is 42");) {
    const next = await reader?.read();
    read += new TextDecoder().decode(next?.value);
  }
  await reader?.cancel();
  await until(async () => await rowOf(gateway) !== undefined);
  const row = await rowOf(gateway);
  assertEquals(row.outcome, "client_gone");
  assert(answerNotes(row.notes).includes("answer.parts[1] emulated"));
});

for (const stream of [false, true]) {
  Deno.test(`an image written as text in ${stream ? "a streamed" : "a whole"} answer is not counted as text`, async () => {
    const { usage: _, ...answer } = hostedAnswers["chat-completions"];
    await using upstream = startUpstream((seen) => answered("chat-completions", answer, seen));
    await using gateway = await startGateway(oneUpstream({ "chat-completions": upstream.base }));
    const { text } = await (stream ? readStream : readWhole)(
      "messages",
      await ask(gateway, "messages", { ...plainRequest, stream }),
    );
    assertStringIncludes(text, `![image](data:image/png;base64,${picture})`);
    const { usage, usageSource } = await rowOf(gateway);
    assertEquals(usageSource, "counted");
    assert((usage?.outputTokens ?? Infinity) < 10_000, `${usage?.outputTokens} tokens`);
    assert((usage?.outputTokens ?? 0) > 3_000, `${usage?.outputTokens} tokens`);
  });
}

Deno.test("an answer is delivered to a strict caller with its notes", () =>
  withPair("responses", async ({ base, key, parts }) => {
    const answer = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "tessera-strict": "true",
      },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });
    await answer.body?.cancel();
    assertEquals(answer.status, 200);
    assertStringIncludes(answer.headers.get("tessera-notes") ?? "", "answer.parts[1] emulated");
    const { rows: [row] } = await listRequestLogs(parts.store, { limit: 1 });
    assertEquals([row.outcome, row.status], ["completed", 200]);
  }));

Deno.test("notes of an answer are reported even if the request had many", () =>
  withPair("responses", async (gateway) => {
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`odd_${at}`, at]));
    const answer = await fetch(`${gateway.base}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": gateway.key, "content-type": "application/json" },
      body: JSON.stringify({
        model: "m",
        max_tokens: 99,
        messages: [{ role: "user", content: "Cats?" }],
        ...unknown,
      }),
    });
    await answer.text();
    const { notes } = await rowOf(gateway);
    for (const note of noted.responses) assert(answerNotes(notes).includes(note), note);
    assert(notes?.some(({ path }) => path === "native.odd_0"));
    const header = answer.headers.get("tessera-notes") ?? "";
    assertStringIncludes(header, noted.responses[0]);
    assertStringIncludes(header, "native.odd_0");
  }));
