import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { eventually, withTempFolder } from "../../store/temp_store.ts";
import { conversation } from "../compaction/remembering_model.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { paidConfig } from "../money/paid_upstream.ts";
import { startServer } from "../server_process.ts";

/** Summarizes at once, or begins to, and then says nothing. */
function startSummarizing(completes = true) {
  const chunk = (fields: object) =>
    `data: ${
      JSON.stringify({
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "paid",
        ...fields,
      })
    }\n\n`;
  const choices = (delta: object, finish_reason: string | null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const usage = { prompt_tokens: 5_000, completion_tokens: 20, total_tokens: 5_020 };
  const summary = [
    chunk(choices({ role: "assistant", content: "The summary." }, null)),
    chunk(choices({}, "stop")),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ];
  let calls = 0;
  return startUpstream(() =>
    new Response(
      pieces(calls++ > 0 ? [] : summary.slice(0, completes ? 4 : 1), { closes: false }),
      {
        headers: { "content-type": "text/event-stream" },
      },
    )
  );
}

/** Requests a compaction before an answer, and reads up to an event. */
async function readingUntil(event: string, base: string) {
  const response = await fetch(`${base}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "paid",
      store: false,
      stream: true,
      input: [...conversation(20_000), { role: "user", content: "Go on." }],
      context_management: [{ type: "compaction", compact_threshold: 1_000 }],
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes(event)) text += (await reader?.read())?.value ?? "";
  return { text, reader };
}

/** The rows of a gateway that was killed and started again; asserts that the books agree. */
async function rowsAfterRestart(folder: string, config: Readonly<Record<string, unknown>>) {
  const second = await startServer(folder, { config });
  await second.stop();
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  const audit = await auditStore(store);
  const { rows } = await listRequestLogs(store, { limit: 10 });
  store.close();
  assertEquals([audit.differences, rows.length], [[], 1]);
  return rows;
}

Deno.test("killed while a summary is written, nothing is charged", () =>
  withTempFolder(async (folder) => {
    await using upstream = startSummarizing(false);
    const config = paidConfig(upstream);
    const first = await startServer(folder, { config });
    const { reader } = await readingUntil("response.compaction.compacting", first.base);
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // a heart-beat sees the call
    await first.kill();
    await reader?.cancel().catch(() => {});
    const [{ outcome, costNanoUsd = 0n }] = await rowsAfterRestart(folder, config);
    assertEquals([outcome, costNanoUsd], ["truncated", 0n]);
  }));

Deno.test("killed between a summary and its answer, the summary is charged once and the client has it", () =>
  withTempFolder(async (folder) => {
    await using upstream = startSummarizing();
    const config = paidConfig(upstream);
    const first = await startServer(folder, { config });
    const { text, reader } = await readingUntil("response.output_item.done", first.base);
    assert(text.includes("tsc1."));
    assert(await eventually(() => upstream.seen.length === 2));
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // a heart-beat sees the call
    await first.kill();
    await reader?.cancel().catch(() => {});
    const [{ costLines = [], outcome }] = await rowsAfterRestart(folder, config);
    assertEquals(outcome, "truncated");
    assertEquals(
      costLines.map(({ bucket, quantity, part }) => [bucket, quantity, part]),
      [["inputTokens", 5_000, "compaction"], ["outputTokens", 20, "compaction"]],
    );
  }));
