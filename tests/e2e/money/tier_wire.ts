import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { type WireAnswer, wireFormats } from "../../ledger/cost_wire.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";

/** A call of an agent: a long history and a dozen tools, in each format. */

const turns = Array.from({ length: 120 }, (_, at) => ({
  role: at % 2 === 0 ? "user" : "assistant",
  text: `Turn ${at}: ${
    "the parser reads one token after the other and keeps its place; ".repeat(26)
  }`,
}));
const last = { role: "user", text: "Which of the two tests still fails?" };
const tools = Array.from({ length: 12 }, (_, at) => ({
  name: `tool_${at}`,
  description: "Reads or changes a file of the project. ".repeat(8),
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
}));

const history = [...turns, last];
const maxTokens = 2_000;

/** The body of a request of about 200 KB. Generate-content names its model in the address. */
export const requests: Readonly<Record<FormatName, (model: string) => JsonObject>> = {
  "chat-completions": (model) => ({
    model,
    max_completion_tokens: maxTokens,
    messages: history.map(({ role, text }) => ({ role, content: text })),
    tools: tools.map((tool) => ({ type: "function", function: tool })),
  }),
  responses: (model) => ({
    model,
    max_output_tokens: maxTokens,
    input: history.map(({ role, text }) => ({ role, content: text })),
    tools: tools.map((tool) => ({ type: "function", strict: false, ...tool })),
  }),
  messages: (model) => ({
    model,
    max_tokens: maxTokens,
    messages: history.map(({ role, text }) => ({ role, content: text })),
    tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  }),
  "generate-content": () => ({
    generationConfig: { maxOutputTokens: maxTokens },
    contents: history.map(({ role, text }) => ({
      role: role === "user" ? "user" : "model",
      parts: [{ text }],
    })),
    tools: [{ functionDeclarations: tools }],
  }),
};

export interface Asked {
  readonly caller: FormatName;
  readonly stream: boolean;
  /** Members beside those of the long request. */
  readonly members?: JsonObject;
}

export interface Setting {
  readonly upstream: FormatName;
  readonly model: string;
  readonly answer: WireAnswer;
  /** Headers of the upstream's answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Other members of the configuration file. */
  readonly config?: Record<string, unknown>;
  /** The costs of the upstream; absent: list prices. */
  readonly costs?: JsonObject;
  /** The budget of the key; absent: none. */
  readonly budgetUsd?: number;
}

export interface Called {
  readonly status: number;
  readonly body: string;
  readonly rows: readonly RequestLogRow[];
  /** The bodies that the upstream received. */
  readonly sent: readonly JsonObject[];
}

/** One call through a gateway of its own to an upstream that answers as set, whole or streamed as asked. */
export async function callOnce(setting: Setting, asked: Asked): Promise<Called> {
  const { upstream: format, model, answer, headers = {}, budgetUsd, config, costs } = setting;
  await using upstream = startUpstream(({ body, path }) => {
    const streams = JSON.parse(body).stream === true || path.includes("streamGenerateContent");
    return streams
      ? new Response(wireFormats[format].stream(answer).map(sseText).join(""), {
        headers: { "content-type": "text/event-stream", ...headers },
      })
      : Response.json(wireFormats[format].whole(answer), { headers });
  });
  await using gateway = await startGateway({
    ...oneUpstream({ [format]: upstream.base }, {
      apiKeys: ["up-secret"],
      models: [model],
      ownCompaction: true,
      ...(costs && { costs }),
    }),
    ...(budgetUsd !== undefined && {
      keys: [{
        name: "test",
        group: "default",
        value: testKey,
        budget: { usd: budgetUsd, period: "total" },
      }],
    }),
    ...config,
  });
  const response = await post(gateway, model, asked);
  const body = await response.text();
  const { rows } = await listRequestLogs(gateway.parts.store, { limit: 10 });
  return {
    status: response.status,
    body,
    rows,
    sent: upstream.seen.map((s) => JSON.parse(s.body)),
  };
}

function post(
  { base }: TestGateway,
  model: string,
  { caller, stream, members = {} }: Asked,
): Promise<Response> {
  const inBody = caller !== "generate-content";
  const body = { ...requests[caller](model), ...(inBody && stream && { stream }), ...members };
  return fetch(base + pathOf(caller, model, stream), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function pathOf(caller: FormatName, model: string, stream: boolean): string {
  if (caller === "chat-completions") return "/v1/chat/completions";
  if (caller === "responses") return "/v1/responses";
  if (caller === "messages") return "/v1/messages";
  const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return `/v1beta/models/${model}:${verb}`;
}
