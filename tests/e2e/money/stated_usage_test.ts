import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import {
  type FormatName,
  formatNames,
  type JsonObject,
  totalInputTokens,
} from "../../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { allRows } from "../faults/settled.ts";
import { startGateway, testKey } from "../gateway.ts";
import { type LimitedOptions, startLimitedUpstream, type Stated } from "./limited_upstream.ts";
import { type Asked, pathOf, requestOf } from "./long_request.ts";

/** Upstreams that state more usage than the request allows. */

const absurd: Stated = { input: 9e15, output: 9e15 };

/** Makes one call of an upstream that states what it likes; gives the call's row. */
async function callStating(
  states: NonNullable<LimitedOptions["states"]>,
  asked: Asked & { readonly body?: string; readonly upstream?: FormatName },
): Promise<RequestLogRow> {
  await using upstream = startLimitedUpstream({ wants: 40, states });
  const to = asked.upstream ?? asked.format;
  const base = to === "messages"
    ? upstream.base
    : `${upstream.base}/${to === "generate-content" ? "v1beta" : "v1"}`;
  await using gateway = await startGateway({
    upstreams: [{ id: "paid", endpoints: { [to]: base }, models: ["paid"] }],
    models: [{ id: "paid", price: { input: 1, output: 2, hostedTools: { "web-search": 10 } } }],
  });
  const response = await fetch(gateway.base + pathOf(asked), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: asked.body ?? requestOf(asked),
  });
  assertEquals(response.status, 200, await response.text());
  const { store } = gateway.parts;
  await compactRows(store);
  const [row] = await allRows(gateway);
  assertEquals((await auditStore(store)).differences, []);
  return row;
}

const hello: Readonly<Record<FormatName, object>> = {
  "chat-completions": {
    model: "paid",
    max_tokens: 50,
    messages: [{ role: "user", content: "hello world" }],
  },
  responses: { model: "paid", max_output_tokens: 50, input: "hello world", store: false },
  messages: {
    model: "paid",
    max_tokens: 50,
    messages: [{ role: "user", content: "hello world" }],
  },
  "generate-content": {
    contents: [{ parts: [{ text: "hello world" }] }],
    generationConfig: { maxOutputTokens: 50 },
  },
};

for (const format of formatNames) {
  for (
    const upstream of [format, format === "messages" ? "chat-completions" : "messages"] as const
  ) {
    for (const stream of [false, true]) {
      Deno.test(`stated usage: ${format} to ${upstream}, ${stream ? "streamed" : "whole"}: 9e15 tokens for "hello world" are counted instead`, async () => {
        const body = JSON.stringify({
          ...hello[format],
          ...(stream && format !== "generate-content" && { stream }),
          ...(stream && format === "chat-completions" &&
            { stream_options: { include_usage: true } }),
        });
        const asked = { format, upstream, stream, body };
        const row = await callStating(() => absurd, asked);
        const { costNanoUsd = 0n, usage, usageSource, statedUsage } = row;
        assert(costNanoUsd > 0n && costNanoUsd < 200_000n, `${costNanoUsd} nano-dollars`);
        assertEquals(usageSource, "counted");
        assert(
          usage && usage.outputTokens >= 38 && usage.outputTokens <= 50,
          `${usage?.outputTokens}`,
        );
        assert(statedUsage && statedUsage.outputTokens === 1_000_000_000);
      });
    }
  }
}

Deno.test("stated usage: tokens within the request's bytes and limit are charged as stated", async () => {
  for (const format of formatNames) {
    const asked = { format, stream: false, maxTokens: 500 };
    const input = Math.floor(requestOf(asked).length * 0.9);
    const row = await callStating(() => ({ input, output: 100, reasoning: 390 }), asked);
    assertEquals(row.usageSource, "upstream");
    assertEquals(row.usage && totalInputTokens(row.usage), input);
    assertEquals([row.statedUsage, row.countedUsage], [undefined, undefined]);
    assertEquals(row.costNanoUsd, BigInt(input) * 1_000n + 490n * 2_000n);
  }
});

Deno.test("stated usage: a prompt of more tokens than bytes is counted, the plausible answer stays", async () => {
  for (const format of formatNames) {
    const asked = { format, stream: false, maxTokens: 500 };
    const { length } = requestOf(asked);
    const row = await callStating(() => ({ input: length * 2, output: 60 }), asked);
    assertEquals(row.usage?.outputTokens, 60);
    assert(row.usage && totalInputTokens(row.usage) < length / 2);
    assertEquals(row.statedUsage?.inputTokens, length * 2);
  }
});

Deno.test("stated usage: thinking beyond the answer's limit is counted", async () => {
  for (const format of ["chat-completions", "responses", "generate-content"] as const) {
    const asked = { format, stream: false, body: JSON.stringify(hello[format]) };
    const row = await callStating(({ input }) => ({ input, output: 40, reasoning: 50_000 }), asked);
    assertEquals(row.usageSource, "counted");
    assertEquals(row.usage?.reasoningTokens, 0);
    assertEquals(row.statedUsage?.reasoningTokens, 50_000);
  }
});

/** Usages of the messages format with more tokens than a short request allows, in several parts. */
const iterations = [
  { type: "compaction", input_tokens: 900_000_000, output_tokens: 5 },
  { type: "message", input_tokens: 9, output_tokens: 3 },
];
const divided: readonly {
  readonly name: string;
  readonly usage: JsonObject;
  readonly most: bigint;
}[] = [
  {
    name: "an unrequested compaction",
    usage: { input_tokens: 9, output_tokens: 3, iterations },
    most: 100_000n,
  },
  {
    name: "a prompt in the fast tier",
    usage: { input_tokens: 9e8, output_tokens: 3, speed: "fast" },
    most: 1_000_000n,
  },
  {
    name: "an answer in the fast tier",
    usage: { input_tokens: 9, output_tokens: 9e8, speed: "fast" },
    most: 1_000_000n,
  },
];

for (const { name, usage, most } of divided) {
  Deno.test(`stated usage: ${name}: counted at the rates of how it was served`, async () => {
    await using upstream = startUpstream(() =>
      Response.json(
        messagesAnswer({ model: "paid", content: [{ type: "text", text: "Nine." }], usage }),
      )
    );
    await using gateway = await startGateway({
      upstreams: [{ id: "paid", endpoints: { messages: upstream.base }, models: ["paid"] }],
      models: [{
        id: "paid",
        price: { input: 1, output: 2, serviceTiers: { fast: { factor: 6 } } },
      }],
    });
    const response = await fetch(`${gateway.base}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify(hello.messages),
    });
    assertEquals(response.status, 200, await response.text());
    await compactRows(gateway.parts.store);
    const [{ costNanoUsd = 0n, costLines = [], usageSource }] = await allRows(gateway);
    assertEquals(usageSource, "counted");
    assert(costNanoUsd > 0n && costNanoUsd < most, `${costNanoUsd} nano-dollars`);
    const tiers = new Set(costLines.map(({ tier }) => tier));
    assertEquals([...tiers], ["speed" in usage ? "fast" : undefined]);
  });
}

const picture = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
/** Bodies that do not hold all that is billed. */
const elsewhere: readonly {
  readonly name: string;
  readonly format: FormatName;
  readonly body: object;
}[] = [
  {
    name: "a picture by its address",
    format: "chat-completions",
    body: { model: "paid", max_tokens: 50, messages: [{ role: "user", content: [picture] }] },
  },
  {
    name: "a small picture in the body",
    format: "chat-completions",
    body: {
      model: "paid",
      max_tokens: 50,
      messages: [{
        role: "user",
        content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }],
      }],
    },
  },
  {
    name: "a hosted tool",
    format: "messages",
    body: {
      ...hello.messages,
      tools: [{ type: "web_search_20250305", name: "web_search" }],
    },
  },
  {
    name: "a file by its id",
    format: "responses",
    body: {
      ...hello.responses,
      input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }],
    },
  },
  {
    name: "cached content",
    format: "generate-content",
    body: { ...hello["generate-content"], cachedContent: "cachedContents/1" },
  },
];

for (const { name, format, body } of elsewhere) {
  Deno.test(`stated usage: ${name}: charged as stated, and doubted where no model could have read it`, async () => {
    const asked = { format, stream: false, body: JSON.stringify(body) };
    const honest = await callStating(() => ({ input: 90_000, output: 40 }), asked);
    assertEquals([honest.usageSource, honest.countedUsage], ["upstream", undefined]);
    assertEquals(honest.usage?.inputTokens, 90_000);
    const row = await callStating(() => ({ input: 9e15, output: 40 }), asked);
    assertEquals(row.usageSource, "upstream");
    assertEquals(row.usage?.inputTokens, 1_000_000_000);
    assert(row.countedUsage && row.countedUsage.inputTokens < 10_000);
  });
}
