import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { wireFormats } from "../../ledger/cost_wire.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway, testKey } from "../gateway.ts";
import { requests } from "../money/tier_wire.ts";

/**
 * State of a vendor with a history of 200 KB: only upstreams of its format get it, and of those with
 * a compaction only its vendor. Else it is refused, never left out. Compactions that the gateway
 * makes itself are in `tests/e2e/compaction`.
 */

const model = "m";
const sealed = "gAAAAABo".repeat(4_000);
const long = (caller: Caller) => ({
  ...requests[caller](model),
  ...(caller === "responses" && { store: false }), // else the gateway says so itself, since it keeps answers
});
const listed = (body: JsonObject, key: string) => body[key] as JsonObject[]; // as the requests are made

interface Case {
  readonly name: string;
  readonly caller: Caller;
  readonly body: JsonObject;
  /** The member at fault. */
  readonly param: string;
  /** The remedy in the error message; absent if other upstreams are served by the gateway. */
  readonly remedy?: string;
}

const before = "Send the conversation as it was before its compaction";

type Caller = "responses" | "messages" | "generate-content";

const input = listed(long("responses"), "input");
const messages = listed(long("messages"), "messages");
const block = {
  type: "compaction",
  content: null,
  encrypted_content: sealed,
};

const cases: readonly Case[] = [
  {
    name: "a compacted history",
    caller: "responses",
    body: {
      ...long("responses"),
      input: [...input, { type: "compaction", id: "cmp_1", encrypted_content: sealed }, {
        role: "user",
        content: "Go on.",
      }],
    },
    param: `input[${input.length}]`,
    remedy: before,
  },
  {
    name: "a compacted history by its older name",
    caller: "responses",
    body: {
      ...long("responses"),
      input: [{ type: "compaction_summary", encrypted_content: sealed }, ...input],
    },
    param: "input[0]",
    remedy: before,
  },
  {
    name: "a trigger",
    caller: "responses",
    body: { ...long("responses"), input: [...input, { type: "compaction_trigger" }] },
    param: `input[${input.length}]`,
  },
  {
    name: "a threshold",
    caller: "responses",
    body: {
      ...long("responses"),
      context_management: [{ type: "compaction", compact_threshold: 100_000 }],
    },
    param: "context_management",
  },
  {
    name: "a compacted history",
    caller: "messages",
    body: {
      ...long("messages"),
      messages: [{ role: "assistant", content: [block] }, ...messages],
    },
    param: "messages[0].content[0]",
    remedy: before,
  },
  {
    name: "a compaction on demand",
    caller: "messages",
    body: { ...long("messages"), compaction: { type: "summarize" } },
    param: "compaction",
  },
  {
    name: "a threshold",
    caller: "messages",
    body: {
      ...long("messages"),
      context_management: { edits: [{ type: "compact_20260112" }] },
    },
    param: "context_management.edits",
  },
  {
    name: "a prompt that its vendor keeps",
    caller: "responses",
    body: { ...long("responses"), prompt: { id: "pmpt_1", version: "2" } },
    param: "prompt",
    remedy: "Send that part in the request",
  },
  {
    name: "cached content",
    caller: "generate-content",
    body: { ...long("generate-content"), cachedContent: "cachedContents/1" },
    param: "cachedContent",
    remedy: "Send that part in the request",
  },
];

const paths = {
  responses: () => "/v1/responses",
  messages: () => "/v1/messages",
  "generate-content": (stream: boolean) =>
    `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
} as const satisfies Record<Caller, (stream: boolean) => string>;

/** The body as it is sent: generate-content says in its address that it streams. */
function sentBody({ caller, body }: Pick<Case, "caller" | "body">, stream: boolean): JsonObject {
  return caller === "generate-content" ? body : { ...body, stream };
}
const answers: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": { prompt_tokens: 50_000, completion_tokens: 9, total_tokens: 50_009 },
  responses: { input_tokens: 50_000, output_tokens: 9, total_tokens: 50_009 },
  messages: { input_tokens: 50_000, output_tokens: 9 },
  "generate-content": {
    promptTokenCount: 50_000,
    candidatesTokenCount: 9,
    totalTokenCount: 50_009,
  },
};

function answering(format: FormatName) {
  return startUpstream(({ body, path }) => {
    const answer = { usage: answers[format] };
    const streams = JSON.parse(body).stream === true || path.includes("stream");
    return streams
      ? new Response(wireFormats[format].stream(answer).map(sseText).join(""), {
        headers: { "content-type": "text/event-stream" },
      })
      : Response.json(wireFormats[format].whole(answer));
  });
}

function entry(id: string, format: FormatName, base: string, priority = 0) {
  const vendor = { ownCompaction: true };
  return {
    id,
    endpoints: { [format]: base },
    apiKeys: ["x"],
    models: [model],
    priority,
    ...vendor,
  };
}

function post(base: string, { caller, body }: Pick<Case, "caller" | "body">, stream: boolean) {
  return fetch(base + paths[caller](stream), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(sentBody({ caller, body }, stream)),
  });
}

for (const one of cases) {
  const { name, caller, body, param, remedy } = one;
  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    const others = formatNames.filter((format) => format !== caller && remedy !== undefined);
    for (const format of others) {
      Deno.test(`${caller}, ${name}: refused before a ${format} upstream, ${way}`, async () => {
        await using upstream = answering(format);
        await using gateway = await startGateway({
          upstreams: [entry("up", format, upstream.base)],
        });
        const response = await post(gateway.base, one, stream);
        const { error } = await response.json();
        assertEquals(response.status, 400);
        assertStringIncludes(error.message, param);
        assertStringIncludes(error.message, `Not charged. ${remedy}`);
        assertStringIncludes(error.message, `of the ${caller} format`);
        assertEquals(
          error.status ?? error.type,
          caller === "generate-content" ? "INVALID_ARGUMENT" : "invalid_request_error",
        );
        assertEquals(upstream.seen.length, 0);
        const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 2 });
        assertEquals([row.errorCode, row.costNanoUsd], ["unsupported_parameter", undefined]);
      });
    }

    Deno.test(`${caller}, ${name}: untouched to an upstream of the format, ${way}`, async () => {
      await using upstream = answering(caller);
      await using gateway = await startGateway({
        upstreams: [entry("up", caller, upstream.base)],
      });
      const response = await post(gateway.base, one, stream);
      assertEquals(response.status, 200, await response.text());
      assertEquals(JSON.parse(upstream.seen[0].body), sentBody(one, stream));
    });
  }

  Deno.test(`${caller}, ${name}: only upstreams of the format are tried`, async () => {
    await using failing = startUpstream(() => new Response("no", { status: 503 }));
    await using native = answering(caller);
    await using foreign = answering("chat-completions");
    await using gateway = await startGateway({
      upstreams: [
        entry("failing", caller, failing.base, 3),
        entry("foreign", "chat-completions", foreign.base, 2),
        entry("native", caller, native.base, 1),
      ],
    });
    const response = await post(gateway.base, one, true);
    assertEquals(response.status, 200, await response.text());
    assertEquals(
      [failing, foreign, native].map(({ seen }) => seen.length),
      [1, 0, 1],
    );
  });

  if (caller === "generate-content") continue;
  Deno.test(`${caller}, ${name}: what this gateway made in the history keeps it whole`, async () => {
    await using upstream = answering(caller);
    await using gateway = await startGateway({ upstreams: [entry("up", caller, upstream.base)] });
    const made = caller === "responses"
      ? { ...body, input: [foreignThought, ...listed(body, "input")] }
      : {
        ...body,
        messages: [
          ...listed(body, "messages"),
          foreignTurn,
          ...listed(long("messages"), "messages").slice(-1),
        ],
      };
    const response = await post(gateway.base, { caller, body: made }, true);
    assertEquals(response.status, 200, await response.text());
    const sent = upstream.seen[0].body;
    assert(!sent.includes("tsr1."));
    for (const key of ["context_management", "compaction", "prompt"]) {
      assertEquals(JSON.parse(sent)[key], body[key]);
    }
    assertEquals(sent.split(sealed).length, JSON.stringify(body).split(sealed).length);
    assertEquals(sent.includes("compaction_trigger"), name === "a trigger");
  });
}

const foreignSeal = `tsr1.messages.${
  new TextEncoder().encode(JSON.stringify({ d: "signature" })).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  })
}`;
const foreignThought = { type: "reasoning", summary: [], encrypted_content: foreignSeal };
const foreignTurn = {
  role: "assistant",
  content: [{ type: "thinking", thinking: "Hm.", signature: foreignSeal }, {
    type: "text",
    text: "So.",
  }],
};

Deno.test("responses: the compaction in a stored answer is not left out by another format", async () => {
  const usage = answers.responses;
  const output = [{ type: "compaction", id: "cmp_1", encrypted_content: sealed }];
  await using native = startUpstream(() =>
    Response.json(wireFormats.responses.whole({ usage, output }))
  );
  await using foreign = answering("chat-completions");
  const chat = entry("chat", "chat-completions", foreign.base);
  await using gateway = await startGateway({
    upstreams: [entry("up", "responses", native.base), { ...chat, models: ["other"] }],
  });
  const first = await post(gateway.base, {
    caller: "responses",
    body: { ...cases[2].body, store: true },
  }, false);
  const { id } = await first.json();
  assertEquals(first.status, 200);
  const second = await post(gateway.base, {
    caller: "responses",
    body: { model: "other", previous_response_id: id, input: "Go on." },
  }, false);
  assertEquals(second.status, 400, await second.text());
  assertEquals(foreign.seen.length, 0);
});

Deno.test("the embedded model refuses a compacted history too", async () => {
  await using gateway = await startGateway();
  const body = { ...cases[0].body, model: "tessera-echo" };
  const response = await post(gateway.base, { caller: "responses", body }, false);
  assertEquals(response.status, 400, await response.text());
});

Deno.test("messages: a compaction that failed is ignored", async () => {
  await using upstream = answering("chat-completions");
  await using gateway = await startGateway({
    upstreams: [entry("up", "chat-completions", upstream.base)],
  });
  const failed = { role: "assistant", content: [{ type: "compaction", content: null }] };
  const body = {
    ...long("messages"),
    messages: [...messages.slice(0, -1), failed, messages.at(-1)],
  };
  const response = await post(
    gateway.base,
    { caller: "messages", body: body as JsonObject },
    false,
  );
  assertEquals(response.status, 200, await response.text());
});
