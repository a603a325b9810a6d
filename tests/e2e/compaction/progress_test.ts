import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { eventually } from "../../store/temp_store.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { conversation } from "./remembering_model.ts";

/** Streamed compactions that the gateway makes, while the upstream writes its summary slowly. */

const encoder = new TextEncoder();
const [intervalMs, lateMs] = [20, 10_000];

function chunk(text: string, finish: string | null = null): Uint8Array {
  const choices = [{ index: 0, delta: { content: text }, finish_reason: finish }];
  const fields = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices };
  return encoder.encode(`data: ${JSON.stringify(fields)}\n\n`);
}

/** An upstream whose summary is written by the test. */
function startSlow() {
  const writers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const upstream = startUpstream(() =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (writer) => {
          writers.push(writer);
          writer.enqueue(chunk("The user wants "));
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    )
  );
  const done = () => {
    for (const bytes of [chunk("a parser."), chunk("", "stop")]) writers.at(-1)?.enqueue(bytes);
    writers.at(-1)?.enqueue(encoder.encode("data: [DONE]\n\n"));
    writers.at(-1)?.close();
  };
  return { ...upstream, done, breaks: () => writers.at(-1)?.error(new Error("broken")) };
}

function startSlowGateway(upstream: { readonly base: string }) {
  return startGateway({
    ...oneUpstream({ "chat-completions": `${upstream.base}/v1` }),
    limits: { sseKeepAliveMs: intervalMs },
    models: [{ id: "m", price: { input: 1, output: 10 } }],
  });
}

const callers = {
  responses: {
    path: "/v1/responses",
    headers: {},
    body: { store: false, input: [...conversation(20_000), { type: "compaction_trigger" }] },
    sign: "response.compaction.compacting",
    failed: "response.failed",
  },
  messages: {
    path: "/v1/messages",
    headers: { "anthropic-beta": "compact-2026-09-04" },
    body: {
      max_tokens: 500,
      compaction: { type: "summarize" },
      messages: conversation(20_000),
    },
    sign: "ping",
    failed: "error",
  },
} as const;
type Caller = keyof typeof callers;

/** Asks for a streamed compaction; `until` reads up to a text, `rest` to the end. */
async function asking({ base, key }: { base: string; key: string }, caller: Caller) {
  const { path, headers, body } = callers[caller];
  const abort = new AbortController();
  const response = await fetch(base + path, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, model: "m", stream: true }),
    signal: abort.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (holds: () => boolean) => {
    const late = setTimeout(() => abort.abort(), lateMs);
    while (!holds()) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    clearTimeout(late);
  };
  const count = (type: string) => text.split(`event: ${type}\n`).length - 1;
  return { until, count, text: () => text, leave: () => abort.abort() };
}

function eventsOf(text: string): JsonObject[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
}

for (const caller of ["responses", "messages"] as const) {
  const { sign, failed } = callers[caller];

  Deno.test(`${caller}: signs of life arrive while the summary is written, and one capsule after them`, async () => {
    await using upstream = startSlow();
    await using gateway = await startSlowGateway(upstream);
    const { until, count, text } = await asking(gateway, caller);
    await until(() => count(sign) >= 3);
    assert(!text().includes("tsc1."));
    upstream.done();
    await until(() => false);
    const events = eventsOf(text());
    const types = events.map(({ type }) => type).filter((type) => type !== sign);
    assertEquals(
      types,
      caller === "responses"
        ? [
          "response.created",
          "response.in_progress",
          "response.output_item.added",
          "response.output_item.done",
          "response.completed",
        ]
        : [
          "message_start",
          "content_block_start",
          "content_block_stop",
          "message_delta",
          "message_stop",
        ],
    );
    if (caller === "responses") {
      assertEquals(events.map(({ sequence_number }) => sequence_number), [...events.keys()]);
      const signs = events.filter(({ type }) => type === sign);
      const item = events.find(({ type }) => type === "response.output_item.done")?.item;
      assertEquals(
        new Set(signs.map(({ item_id }) => item_id)),
        new Set([(item as JsonObject).id]),
      );
    }
    assertEquals(text().split("tsc1.").length - 1, caller === "responses" ? 2 : 1);
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.outcome, row.usageSource], ["completed", "upstream"]);
  });

  Deno.test(`${caller}: a caller that leaves a summary cancels it, and pays what came`, async () => {
    await using upstream = startSlow();
    await using gateway = await startSlowGateway(upstream);
    const { until, count, leave } = await asking(gateway, caller);
    await until(() => count(sign) >= 2);
    leave();
    await upstream.seen[0].aborted;
    const rowsOf = async () => (await listRequestLogs(gateway.parts.store, { limit: 1 })).rows;
    assert(await eventually(async () => (await rowsOf()).length > 0));
    const [{ outcome, costLines = [] }] = await rowsOf();
    assertEquals(outcome, "client_gone");
    assertEquals(
      costLines.map(({ part, bucket }) => `${part} ${bucket}`).toSorted(),
      ["compaction inputTokens", "compaction outputTokens"],
    );
    const quantities = costLines.map(({ quantity }) => quantity);
    assert(quantities.every((one) => one > 0) && Math.max(...quantities) > 1_000, `${quantities}`);
  });

  Deno.test(`${caller}: a summary that breaks off ends in an error, and costs nothing`, async () => {
    await using upstream = startSlow();
    await using gateway = await startSlowGateway(upstream);
    const { until, count, text } = await asking(gateway, caller);
    await until(() => count(sign) >= 2);
    upstream.breaks();
    await until(() => false);
    assertEquals(count(failed), 1);
    assertStringIncludes(text(), "Not charged.");
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.costNanoUsd ?? 0n, row.outcome], [0n, "truncated"]);
  });

  Deno.test(`${caller}: two empty summaries end a stream in an error, and cost nothing`, async () => {
    const empty = new TextDecoder().decode(chunk("", "stop"));
    await using upstream = startUpstream(() =>
      new Response(pieces([empty, "data: [DONE]\n\n"]), {
        headers: { "content-type": "text/event-stream" },
      })
    );
    await using gateway = await startSlowGateway(upstream);
    const { until, count, text } = await asking(gateway, caller);
    await until(() => false);
    assertEquals([count(failed), upstream.seen.length], [1, 2]);
    assertEquals(count("response.output_item.added"), caller === "responses" ? 1 : 0);
    assertStringIncludes(text(), "the model wrote no summary");
    assertStringIncludes(text(), "Not charged.");
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.costNanoUsd ?? 0n, row.errorCode], [0n, "compaction_failed"]);
  });
}
