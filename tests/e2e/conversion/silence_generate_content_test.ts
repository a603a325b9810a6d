import { GoogleGenAI } from "@google/genai";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { codecs } from "../../../lib/formats/mod.ts";
import { isInstalled, programCommand } from "../../../tools/sdks.ts";
import { later } from "../../waiting.ts";
import { type Seen, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";
import { inTwoParts, onlyRow, post, prompt } from "../interruptions/interrupted_call.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";
import { words } from "../load/sized_body.ts";
import { textSoFar } from "./broken_body.ts";
import { readAsOlderSdk } from "./older_google_stream.ts";
import { signsIn } from "./signs_of_life.ts";

/**
 * Streams of generate-content whose upstream is silent. The vendor's older SDK (@google/generative-ai)
 * and LangChain by it find nothing behind a comment, so a line of data grows by spaces meanwhile.
 */

const keepAliveMs = 20;
const signsMin = 3;
const said = words(20_000);
const half = said.length / 2;
/** Where the upstream is silent, by how many of its events come before. */
const silences = { "before its headers": -1, "behind its headers": 0, "in the middle": 2 } as const;
const spokenFormats = ["generate-content", "chat-completions"] as const;
type Spoken = typeof spokenFormats[number];

function eventsOf(spoken: Spoken): readonly string[] {
  const { opening, delta, closing } = speeches[spoken];
  return [...opening, delta(said.slice(0, half)), delta(said.slice(half)), ...closing];
}

interface Silence {
  readonly spoken: Spoken;
  readonly at: number;
  /** The events after the silence; default: the rest of the answer. */
  readonly rest?: readonly string[];
  readonly lineEnd?: string;
}

/** An upstream whose stream is silent until `over`; it answers at once without a stream. */
function answerOf({ spoken, at, rest, lineEnd = "\n" }: Silence, over: () => Promise<void>) {
  const events = eventsOf(spoken).map((event) => event.replaceAll("\n", lineEnd));
  return async ({ path, body }: Seen) => {
    if (path.includes("countTokens")) return Response.json({ totalTokens: 3 });
    const streams = path.includes("stream") || JSON.parse(body).stream === true;
    if (!streams) return Response.json(speeches[spoken].whole(said));
    if (at < 0) await over();
    const first = Math.max(at, 0);
    return inTwoParts(events.slice(0, first), over(), rest ?? events.slice(first));
  };
}

async function withSilence(
  silence: Silence,
  over: () => Promise<void>,
  run: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  await using upstream = startUpstream(answerOf(silence, over));
  await using gateway = await startGateway({
    limits: { sseKeepAliveMs: keepAliveMs },
    ...oneUpstream({ [silence.spoken]: upstream.base }),
  });
  await run(gateway);
}

interface Got {
  /** All that came, whether the connection then closed or broke off. */
  readonly text: string;
  readonly outcome: string;
}

/** The stream of a caller behind whose first signs of life the silence is over. */
async function streamPast(silence: Silence): Promise<Got> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let got: Got = { text: "", outcome: "" };
  await withSilence(silence, () => promise, async (gateway) => {
    const response = await post(gateway, "generate-content", true);
    let text = "";
    const noticing = new TransformStream<string, string>({
      transform: (chunk, controller) => {
        text += chunk;
        if (signsIn(text) >= signsMin || text.includes(": keep-alive")) end();
        controller.enqueue(chunk);
      },
    });
    const body = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(noticing);
    await textSoFar(new Response(body?.pipeThrough(new TextEncoderStream())));
    got = { text, outcome: (await onlyRow(gateway)).outcome };
  });
  return got;
}

/** The text in a stream's objects, including an error's message. */
function saidBy(objects: readonly unknown[]): string {
  const decoder = codecs["generate-content"].eventDecoder();
  const events = objects.flatMap((object) => decoder.push({ data: JSON.stringify(object) }));
  return events.map((event) => {
    if (event.type === "error") return event.error.message;
    return event.type === "part-delta" ? event.text : "";
  }).join("");
}

for (const spoken of spokenFormats) {
  for (const [where, at] of Object.entries(silences)) {
    Deno.test(`a stream from ${spoken} that is silent ${where} is readable for the older SDK`, async () => {
      const { text, outcome } = await streamPast({ spoken, at });
      assertEquals(saidBy(readAsOlderSdk(text)), said);
      assert(signsIn(text) >= signsMin, `${signsIn(text)} signs of life`);
      assertEquals(outcome, "completed");
    });

    Deno.test(`a stream from ${spoken} with CRLF that is silent ${where} is readable for the older SDK`, async () => {
      const { text } = await streamPast({ spoken, at, lineEnd: "\r\n" });
      assertEquals(saidBy(readAsOlderSdk(text)), said);
    });

    Deno.test(`a stream from ${spoken} that fails behind a silence ${where} has a readable error`, async () => {
      const rest = [speeches[spoken].error("Overloaded")];
      const { text, outcome } = await streamPast({ spoken, at, rest });
      assertStringIncludes(saidBy(readAsOlderSdk(text)), "Overloaded");
      assertEquals(outcome, "upstream_error");
    });

    Deno.test(`a stream from ${spoken} that closes behind a silence ${where} has a readable error`, async () => {
      const { text, outcome } = await streamPast({ spoken, at, rest: [] });
      const place = where === "in the middle" ? "in the middle of" : "before";
      assertStringIncludes(
        saidBy(readAsOlderSdk(text)),
        `closed the connection ${place} its answer`,
      );
      assertEquals(outcome, "truncated");
    });

    Deno.test(`the vendor's SDK reads a stream from ${spoken} that is silent ${where}`, () =>
      withSilence({ spoken, at }, pause, async (gateway) => {
        const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
        const stream = await google.models.generateContentStream({ model: "m", contents: prompt });
        const chunks = await Array.fromAsync(stream);
        assertEquals(chunks.map(({ text }) => text ?? "").join(""), said);
      }));
  }

  Deno.test(`the vendor's SDK throws the error of a stream from ${spoken} behind a silence`, () =>
    withSilence(
      { spoken, at: 2, rest: [speeches[spoken].error("Overloaded")] },
      pause,
      async (gateway) => {
        const google = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl: gateway.base } });
        const stream = await google.models.generateContentStream({ model: "m", contents: prompt });
        await assertRejects(() => Array.fromAsync(stream), Error, "Overloaded");
      },
    ));
}

/** A silence for clients that do not show their signs of life. */
const pause = () => later(5 * keepAliveMs);

Deno.test("a frame that comments of the upstream precede is readable behind a silence", async () => {
  const [opening, ...others] = eventsOf("generate-content");
  const rest = [`: waiting\r\n\r\n\n${opening}`, ...others];
  const { text } = await streamPast({ spoken: "generate-content", at: 0, rest });
  assertEquals(saidBy(readAsOlderSdk(text)), said);
});

Deno.test("a gateway behind a gateway passes its signs of life on as JSON", async () => {
  await withSilence({ spoken: "chat-completions", at: 2 }, pause, async (behind) => {
    await using before = await startGateway(
      oneUpstream({ "generate-content": `${behind.base}/v1beta` }, { apiKeys: [testKey] }),
    );
    const text = await textSoFar(await post(before, "generate-content", true));
    assertEquals(saidBy(readAsOlderSdk(text)), said);
    assert(signsIn(text) > 0);
    const { outcome, usage } = await onlyRow(before);
    assertEquals(outcome, "completed");
    assert((usage?.outputTokens ?? 0) > 1_000);
  });
});

const ignore = !await isInstalled();
if (ignore) console.log("The SDKs are not installed: run deno task sdks");

for (const spoken of spokenFormats) {
  for (const [where, at] of Object.entries(silences)) {
    Deno.test({
      name: `the older SDK itself reads a stream from ${spoken} that is silent ${where}`,
      ignore,
      fn: () =>
        withSilence({ spoken, at }, pause, async (gateway) => {
          const { command, args } = programCommand(
            "older_google.ts",
            gateway.base,
            testKey,
            "m",
            "v1beta",
          );
          const { stdout, stderr } = await new Deno.Command(command, { args }).output();
          assertEquals(new TextDecoder().decode(stderr), "");
          const told = JSON.parse(new TextDecoder().decode(stdout));
          assertEquals([told.streamed, told.gathered], [said, said]);
        }),
    });
  }
}
