import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { later } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { onlyRow, post, receivedBy } from "../interruptions/interrupted_call.ts";
import { speeches } from "../interruptions/interrupted_wire.ts";

/**
 * Upstreams that state their finish reason, never close, and send keep-alives for ever: of other
 * gateways, such a stream never ended (https://github.com/maximhq/bifrost/pull/6948,
 * https://github.com/maximhq/bifrost/pull/6960).
 */

const tailMs = 200;
const beatMs = 20;
const story = "Once upon a time";

const comment = ": keep-alive\n\n";
const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
const chatUsage = `data: ${
  JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: { prompt_tokens: 31, completion_tokens: 17, total_tokens: 48 },
  })
}\n\n`;

/** The end of an answer without the mark after it, and the keep-alives that follow. */
interface Ending {
  readonly format: FormatName;
  readonly closing: readonly string[];
  readonly beat: string;
  /** Sent after a few keep-alives. */
  readonly late?: string;
}

function closingOf(format: FormatName, marks: number): readonly string[] {
  const { closing } = speeches[format];
  return closing.slice(0, closing.length - marks);
}

const endings: Readonly<Record<string, Ending>> = {
  "chat-completions without [DONE]": {
    format: "chat-completions",
    closing: closingOf("chat-completions", 1),
    beat: comment,
  },
  "chat-completions with usage among the keep-alives": {
    format: "chat-completions",
    closing: closingOf("chat-completions", 1),
    beat: comment,
    late: chatUsage,
  },
  "chat-completions with [DONE]": {
    format: "chat-completions",
    closing: closingOf("chat-completions", 0),
    beat: comment,
  },
  "messages without message_stop": {
    format: "messages",
    closing: closingOf("messages", 1),
    beat: ping,
  },
  "generate-content": {
    format: "generate-content",
    closing: closingOf("generate-content", 0),
    beat: comment,
  },
  "responses with comments behind its end": {
    format: "responses",
    closing: closingOf("responses", 0),
    beat: comment,
  },
};

function beating({ format, closing, beat, late }: Ending): ReadableStream<Uint8Array> {
  const { opening, delta } = speeches[format];
  const encoder = new TextEncoder();
  const waiting = [...opening, delta(story), ...closing];
  let beats = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const next = waiting.shift();
      if (next !== undefined) return controller.enqueue(encoder.encode(next));
      await later(beatMs);
      beats++;
      const text = beats === 3 && late !== undefined ? late : beat;
      controller.enqueue(encoder.encode(text));
    },
  }, { highWaterMark: 0 });
}

for (const [name, ending] of Object.entries(endings)) {
  for (const to of formatNames) {
    for (const stream of [true, false]) {
      const way = `${name} to ${to}, ${stream ? "streamed" : "collected into one"}`;
      Deno.test(`endless keep-alives behind the finish reason: ${way}: the answer ends in time`, async () => {
        await using upstream = startUpstream(() =>
          new Response(beating(ending), { headers: { "content-type": "text/event-stream" } })
        );
        await using gateway = await startGateway({
          limits: { answerTailMs: tailMs },
          ...oneUpstream({ [ending.format]: upstream.base }),
        });
        const startedAt = performance.now();
        const signal = AbortSignal.timeout(4_000);
        const text = await (await post(gateway, to, stream, { signal })).text();
        const tookMs = performance.now() - startedAt;
        assert(tookMs < 2_000, `${Math.round(tookMs)} ms`);
        if (stream) {
          assertEquals(receivedBy(to, new TextEncoder().encode(text)).answer.text(), story);
        } else assertStringIncludes(text, story);
        await upstream.seen[0].aborted;
        const row = await onlyRow(gateway);
        assertEquals(row.outcome, "completed");
        if (ending.late) {
          assertEquals([row.usageSource, row.usage?.inputTokens], ["upstream", 31]);
        }
      });
    }
  }
}
