import { chatAnswer } from "../../formats/whole_answer.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { ofSize } from "../load/sized_body.ts";

/**
 * The cost of every answer of the paid upstream: 60 tokens, as many as are reserved for the prompt,
 * at $1 and 20 at $2 per million.
 */
export const callNanoUsd = 100_000n;
export const paidModel = { id: "paid", price: { input: 1, output: 2 } };

const usage = { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 };
const message = { content: "Nine, as far as I know." };

/**
 * An upstream whose answers all state the same usage, whole or streamed as asked, after a wait or
 * with waits in between.
 */
export function startPaidUpstream(
  waitMsOf: (asked: { readonly stream: boolean }) => number = () => 0,
): FakeUpstream {
  return startUpstream(async ({ body }) => {
    const { stream } = JSON.parse(body);
    const waitMs = waitMsOf({ stream });
    if (stream) return streamed(waitMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * waitMs));
    return Response.json(chatAnswer(message, { id: "chatcmpl-1", model: "paid", usage }));
  });
}

export function paidConfig(upstream: FakeUpstream): Record<string, unknown> {
  return {
    upstreams: [{
      id: "paid",
      endpoints: { "chat-completions": `${upstream.base}/v1` },
      models: ["paid"],
    }],
    models: [paidModel],
  };
}

function streamed(waitMs: number): Response {
  const chunk = (fields: object) =>
    `data: ${
      JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "paid",
        ...fields,
      })
    }\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const texts = [
    chunk(choice({ role: "assistant", content: "" })),
    ...["Nine, ", "as far ", "as I ", "know."].map((content) => chunk(choice({ content }))),
    chunk(choice({}, "stop")),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ];
  return new Response(slowly(texts, waitMs / 4), {
    headers: { "content-type": "text/event-stream" },
  });
}

function slowly(texts: readonly string[], waitMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting = [...texts];
  return new ReadableStream({
    pull: async (controller) => {
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * waitMs));
      const next = waiting.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(encoder.encode(next));
    },
  }, { highWaterMark: 0 });
}

/** One call from its request to the last byte of its answer. */
export interface PaidCall {
  readonly status: number;
  readonly id: string;
  /** True if an answer with status 200 did not end in an error. */
  readonly isWhole?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly retryAfter?: string | null;
}

export async function callPaid(
  base: string,
  key: string,
  options: {
    readonly stream?: boolean;
    readonly maxTokens?: number;
    readonly bytes?: number;
    readonly tag?: string;
    readonly session?: string;
    signal?: AbortSignal;
  } = {},
): Promise<PaidCall> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(options.tag !== undefined && { "tessera-tag": options.tag }),
      ...(options.session !== undefined && { "tessera-session": options.session }),
    },
    body: JSON.stringify(ofSize("chat-completions", {
      model: "paid",
      messages: [{ role: "user", content: "How many planets are there?" }],
      ...(options.stream && { stream: true }),
      ...(options.maxTokens && { max_tokens: options.maxTokens }),
    }, options.bytes ?? 0)),
    ...(options.signal && { signal: options.signal }),
  });
  const text = await response.text();
  const id = response.headers.get("x-request-id") ?? "";
  const isWhole = !options.stream || text.includes("[DONE]");
  if (response.status === 200) return { status: 200, id, isWhole };
  const { error } = JSON.parse(text);
  const retryAfter = response.headers.get("retry-after");
  const { code, message } = error;
  return { status: response.status, id, code, message, retryAfter };
}
