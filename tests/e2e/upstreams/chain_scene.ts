import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const closing = `data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\ndata: [DONE]\n\n`;

function streamOf(text: string, reason: string): Response {
  const opening = chunk({ role: "assistant", content: "" });
  const content = text === "" ? "" : chunk({ content: text });
  const body = `${opening}${content}${chunk({}, reason)}${closing}`;
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function wholeOf(content: string, finish_reason: string): Response {
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason };
  return Response.json(chatAnswer({}, { choices: [choice], usage }));
}

const failing = (status: number, code?: string) =>
  Response.json({ error: { message: `fails with ${status}`, code } }, { status });

/** The ways in which an upstream ends a call without an answer. */
export const failures = {
  outage: () => failing(503),
  "bad gateway": () => new Response("<html>", { status: 502 }),
  "broken body": () => new Response("{", { headers: { "content-type": "application/json" } }),
  unauthorized: () => failing(401),
  "rate limit": () => failing(429),
  timeout: () => new Promise<Response>(() => {}),
  window: () => failing(400, "context_length_exceeded"),
  "content filter": () => failing(400, "content_filter"),
  refusal: (stream: boolean) =>
    stream ? streamOf("", "content_filter") : wholeOf("", "content_filter"),
} as const satisfies Record<string, (stream: boolean) => Response | Promise<Response>>;
export type Failure = keyof typeof failures;

/**
 * An upstream that reads in the prompt how to end a call: `[a:outage][b:refusal]`. It answers for
 * any other model.
 */
function startObedient(): FakeUpstream {
  return startUpstream(({ body }: Seen) => {
    const { model, stream = false } = JSON.parse(body);
    const failure = new RegExp(`\\[${model}:([a-z ]+)\\]`).exec(body)?.[1];
    if (failure !== undefined) return failures[failure as Failure](stream);
    return stream ? streamOf(`I am ${model}`, "stop") : wholeOf(`I am ${model}`, "stop");
  });
}

/** In USD per million tokens. */
export const prices = { down: 1_000, a: 100, b: 10, c: 1 } as const;

export interface ChainScene extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly upstream: FakeUpstream;
  ask(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
  rows(): Promise<readonly RequestLogRow[]>;
}

const none = { upstreams: [], models: [] };

/** A gateway with the models `a`, `b` and `c`, `down` whose upstream is gone, and virtual ones. */
export async function startChains(
  chains: Readonly<Record<string, readonly unknown[]>>,
  settings: Record<string, unknown> = {},
  more: { readonly upstreams: readonly unknown[]; readonly models: readonly unknown[] } = none,
): Promise<ChainScene> {
  const upstream = startObedient();
  const gone = startUpstream(() => failing(500));
  await gone[Symbol.asyncDispose]();
  const fast = { timeouts: { firstByteMs: 1_000 } };
  const gateway = await startGateway({
    upstreams: [
      ...(["a", "b", "c"] as const).map((id) => ({
        id: `up-${id}`,
        endpoints: { "chat-completions": upstream.base },
        models: [id],
        ...fast,
      })),
      { id: "gone", endpoints: { "chat-completions": gone.base }, models: ["down"] },
      ...more.upstreams,
    ],
    models: [
      ...Object.entries(prices).map(([id, output]) => ({ id, price: { input: output, output } })),
      ...Object.entries(chains).map(([id, members]) => ({ id, members })),
      ...more.models,
    ],
    ...settings,
  });
  return {
    gateway,
    upstream,
    ask: (body, headers = {}) =>
      fetch(`${gateway.base}/v1/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${gateway.key}`,
          ...headers,
        },
        body: JSON.stringify({ messages: [{ role: "user", content: "hi" }], ...body }),
      }),
    rows: () => allRows(gateway),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function allRows({ parts: { store } }: TestGateway): Promise<readonly RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { limit: 1_000, before });
    rows.push(...page.rows);
    before = page.next;
  } while (before !== undefined);
  return rows;
}

export const prompt = (text: string) => ({ messages: [{ role: "user", content: text }] });
