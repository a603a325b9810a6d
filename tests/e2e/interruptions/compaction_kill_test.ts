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

/** Summarizes at once, and then says nothing. */
function startSummarizing() {
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
    new Response(calls++ === 0 ? pieces(summary) : pieces([], { closes: false }), {
      headers: { "content-type": "text/event-stream" },
    })
  );
}

Deno.test("killed between a summary and its answer, the summary is charged once and the client has it", () =>
  withTempFolder(async (folder) => {
    await using upstream = startSummarizing();
    const config = paidConfig(upstream);
    const first = await startServer(folder, { config });
    const response = await fetch(`${first.base}/v1/responses`, {
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
    while (!text.includes("response.output_item.done")) text += (await reader?.read())?.value ?? "";
    assert(text.includes("tsc1."));
    assert(await eventually(() => upstream.seen.length === 2));
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // a heart-beat sees the call
    await first.kill();
    await reader?.cancel().catch(() => {});
    const second = await startServer(folder, { config });
    await second.stop();
    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const audit = await auditStore(store);
    const { rows } = await listRequestLogs(store, { limit: 10 });
    store.close();
    assertEquals([audit.differences, rows.length], [[], 1]);
    const [{ costLines = [], outcome }] = rows;
    assertEquals(outcome, "truncated");
    assertEquals(
      costLines.map(({ bucket, quantity, part }) => [bucket, quantity, part]),
      [["inputTokens", 5_000, "compaction"], ["outputTokens", 20, "compaction"]],
    );
  }));
