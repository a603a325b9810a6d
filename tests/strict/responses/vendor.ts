import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { judge } from "../judge.ts";
import type { Prompt } from "../small_model.ts";
import type { Answering, Vendor } from "../vendor.ts";
import { outputOf, streamOf } from "./answer.ts";
import { offeredTools, proofsOf, reasons, responsesRules } from "./rules.ts";
import {
  isMessage,
  type Item,
  itemsOf,
  type Message,
  type ResponsesBody,
  responsesBody,
} from "./schema.ts";

/** The responses vendor: items instead of turns, encrypted reasoning. */
export const responsesVendor: Vendor = {
  basePath: "/v1",
  address: (path) => /^\/responses(\?|$)/.test(path) ? {} : undefined,
  credential: (headers) => headers.get("authorization")?.replace(/^Bearer /, ""),
  refusals: judge(responsesBody, responsesRules),
  proofs: ({ body }) => proofsOf(responsesBody.parse(body)),
  prompt: ({ body }) => promptOf(responsesBody.parse(body)),
  counting: { writes: true },
  whole: (reply, answering) =>
    responseOf(answering, "completed", {
      output: outputOf(reply, answering),
      usage: usageOf(answering),
    }),
  stream: (reply, answering) => {
    const output = outputOf(reply, answering);
    return streamOf(output, {
      started: responseOf(answering, "in_progress", { output: [], usage: null }),
      ended: responseOf(answering, "completed", { output, usage: usageOf(answering) }),
    });
  },
  error: (status, message) => ({
    error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null },
  }),
  streamError: (message) => [errorEvent(message)],
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  403: "permission_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
};

function errorEvent(message: string): ServerSentEvent {
  const error = { type: "server_error", code: "server_error", message, param: null };
  return {
    event: "error",
    data: JSON.stringify({ type: "error", sequence_number: 999, error }),
  };
}

function promptOf(body: ResponsesBody): Prompt {
  const items = itemsOf(body);
  const answeredAt = items.findLastIndex((item) =>
    isMessage(item) ? item.role === "assistant" : !item.type.endsWith("_output")
  );
  const fresh = items.slice(answeredAt + 1);
  const asked = fresh.filter(isUser);
  const last = asked.at(-1) ?? items.findLast(isUser);
  return {
    text: last ? textOf(last.content) : "",
    results: fresh.flatMap((item) => resultOf(item, items)),
    media: asked.flatMap(({ content }) => mediaOf(content)),
    ...schemaOf(body),
    thinks: reasons(body.model) && body.reasoning?.effort !== "none",
    tools: offeredTools(body),
    oneAtATime: body.parallel_tool_calls === false,
    answered: items.filter((item) => !isMessage(item) && "output" in item).length,
    ...forcedOf(body),
  };
}

function isUser(item: Item): item is Message {
  return isMessage(item) && item.role === "user";
}

function resultOf(item: Item, items: readonly Item[]): Prompt["results"] {
  if (isMessage(item) || !("output" in item)) return [];
  const call = items.find((other) =>
    !isMessage(other) && "name" in other && "call_id" in other && other.call_id === item.call_id
  );
  return [{
    name: call && "name" in call ? call.name : "unknown",
    text: textOf(item.output),
    media: mediaOf(item.output).length,
  }];
}

type Content = Message["content"] | Extract<Item, { output: unknown }>["output"];

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => "text" in part ? [part.text] : []).join("\n");
}

function mediaOf(content: Content): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => {
    if (part.type === "input_image") {
      return [/^data:([^;]+)/.exec(part.image_url ?? "")?.[1] ?? "image"];
    }
    return part.type === "input_file" ? ["application/pdf"] : [];
  });
}

function schemaOf({ text }: ResponsesBody): Pick<Prompt, "schema"> {
  if (text?.format?.type === "json_object") return { schema: true };
  return text?.format?.type === "json_schema" ? { schema: text.format.schema } : {};
}

function forcedOf({ tool_choice: choice }: ResponsesBody): Pick<Prompt, "forced"> {
  if (choice == null || choice === "auto") return {};
  if (choice === "none") return { forced: false };
  if (choice === "required") return { forced: true };
  if (choice.type !== "allowed_tools") return { forced: choice.name };
  return choice.mode === "required" ? { forced: true } : {};
}

/** The response object, which repeats parameters of the request. */
function responseOf({ id, model, asked }: Answering, status: string, more: JsonObject): JsonObject {
  const { instructions, reasoning, text, tools, tool_choice, metadata, store, temperature, top_p } =
    asked.body;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 1_767_225_600,
    completed_at: status === "completed" ? 1_767_225_601 : null,
    status,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    metadata: metadata ?? {},
    model,
    parallel_tool_calls: true,
    reasoning: reasoning ?? { effort: null, summary: null },
    store: store ?? true,
    temperature: temperature ?? 1,
    text: text ?? { format: { type: "text" } },
    tool_choice: tool_choice ?? "auto",
    tools: toolsOf(tools),
    top_p: top_p ?? 1,
    truncation: "disabled",
    background: false,
    frequency_penalty: 0,
    max_output_tokens: null,
    max_tool_calls: null,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    safety_identifier: null,
    service_tier: "default",
    top_logprobs: 0,
    ...more,
  };
}

/** The vendor tries the strict mode, unless it is disabled. */
function toolsOf(tools: unknown): JsonObject[] {
  const asked: JsonObject[] = Array.isArray(tools) ? tools : [];
  return asked.map((tool) =>
    tool.type === "function" ? { description: null, strict: true, ...tool } : tool
  );
}

function usageOf({ counts }: Answering): JsonObject {
  const input = counts.input + counts.cacheRead + counts.cacheWrite;
  const output = counts.output + counts.reasoning;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: counts.cacheRead,
      cache_write_tokens: counts.cacheWrite,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: counts.reasoning },
    total_tokens: input + output,
  };
}
