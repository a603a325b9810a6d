import { z } from "zod";
import { efforts, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import {
  areObjects,
  assertOneOf,
  assertShape,
  filled,
  flag,
  isUsual,
  lazyJsonSchema,
  number,
  object,
  objects,
  refused,
  type SchemasByType,
  text,
  textMap,
  textOrParts,
  type UsualMembers,
} from "../schema.ts";
import { listOf, objectOf, objectsOf } from "../wire_value.ts";
import { wireCallOf } from "./calls.ts";

/** Structure of a request, top level first. Unknown members pass; `null` is the same as absent. */

export const request = z.looseObject({
  model: filled,
  messages: z.array(z.unknown(), "must be an array of messages")
    .min(1, "must hold at least one message"),
  stream: flag,
  stream_options: z.looseObject({ include_usage: flag, include_obfuscation: flag }, {
    error: "must be an object",
  }).nullish(),
  usage: z.looseObject({ include: flag }, "must be an object").nullish(),
  max_completion_tokens: number,
  max_tokens: number,
  temperature: number,
  top_p: number,
  top_k: number,
  n: number,
  stop: z.union(
    [z.string(), z.array(z.string())],
    "must be a string or an array of strings",
  ).nullish(),
  presence_penalty: number,
  frequency_penalty: number,
  logit_bias: z.record(z.string(), z.number("must be a number"), "must be an object of numbers")
    .nullish(),
  logprobs: flag,
  top_logprobs: number,
  seed: number,
  tools: objects.nullish(),
  functions: objects.nullish(),
  tool_choice: z.union(
    [z.literal(["none", "auto", "required"]), z.looseObject({ type: z.string() })],
    'must be "none", "auto", "required" or an object with a type',
  ).nullish(),
  function_call: z.union(
    [z.literal(["none", "auto"]), z.looseObject({ name: z.string() })],
    'must be "none", "auto" or an object with a name',
  ).nullish(),
  parallel_tool_calls: flag,
  response_format: z.looseObject({ type: text }, "must be an object").nullish(),
  reasoning_effort: z.enum(efforts, `must be one of ${efforts.join(", ")}`).nullish(),
  verbosity: z.enum(["low", "medium", "high"], "must be low, medium or high").nullish(),
  metadata: textMap.nullish(),
  store: flag,
  service_tier: text.nullish(),
  user: text.nullish(),
  safety_identifier: text.nullish(),
  prompt_cache_key: text.nullish(),
  web_search_options: object.nullish(),
}, "must be an object");

const functionCall = z.object({ name: text, arguments: text }, "must be an object");

export const messageSchemas: SchemasByType = {
  developer: z.object({ content: textOrParts }),
  system: z.object({ content: textOrParts }),
  user: z.object({ content: textOrParts }),
  assistant: z.object({
    content: textOrParts.nullish(),
    refusal: text.nullish(),
    tool_calls: objects.nullish(),
    function_call: functionCall.nullish(),
    audio: z.object({ id: text.nullish() }, "must be an object").nullish(),
    reasoning_content: text.nullish(),
  }),
  tool: z.object({ content: textOrParts, tool_call_id: filled }),
  function: z.object({ content: textOrParts.nullish(), name: filled }),
};

const textOrUrl = z.union([z.string(), z.object({ url: text })], "must be an object with a url");

export const partSchemas: SchemasByType = {
  text: z.object({ text }),
  refusal: z.object({ refusal: text }),
  image_url: z.object({
    image_url: textOrUrl,
  }),
  video_url: z.object({ video_url: z.object({ url: text }, "must be an object") }),
  input_audio: z.object({
    input_audio: z.object({ data: text, format: text }, "must be an object"),
  }),
  document_url: z.object({ document_url: textOrUrl }),
  file_url: z.object({ file_url: textOrUrl }),
  file: z.preprocess(
    withFileOf,
    z.object({
      file: z.object({
        file_id: text.nullish(),
        file_data: text.nullish(),
        filename: text.nullish(),
      }, "must be an object").refine(
        ({ file_id, file_data }) => typeof file_id === "string" || typeof file_data === "string",
        "needs file_id or file_data",
      ),
    }),
  ),
};

/** Mistral's file, whose id is beside the part's type, as the vendor of the format writes it. */
function withFileOf(part: unknown): unknown {
  const { file, file_id } = Object(part);
  return typeof file_id === "string" && !file ? { file: { file_id } } : part;
}

export const callSchemas: SchemasByType = {
  function: z.object({ id: filled, function: functionCall }),
  custom: z.object({
    id: filled,
    custom: z.object({ name: text, input: text }, "must be an object"),
  }),
};

export const declaration = z.object({
  name: filled,
  description: text.nullish(),
  parameters: object.nullish(),
  strict: flag,
}, "must be an object");
const grammar = z.object({
  syntax: z.enum(["lark", "regex"], "must be lark or regex"),
  definition: text,
}, "must be an object");

export const toolSchemas: SchemasByType = {
  function: z.object({ function: declaration }),
  custom: z.object({
    custom: z.object({
      name: filled,
      description: text.nullish(),
      format: z.object({ type: text }, "must be an object").nullish(),
    }, "must be an object"),
  }),
};

export const textFormatSchemas: SchemasByType = {
  grammar: z.object({ grammar: grammar.nullish() }),
};

export const choiceSchemas: SchemasByType = {
  function: z.object({ function: z.object({ name: filled }, "must be an object") }),
  custom: z.object({ custom: z.object({ name: filled }, "must be an object") }),
  allowed_tools: z.object({
    allowed_tools: z.object({
      mode: z.enum(["auto", "required"], "must be auto or required"),
      tools: objects,
    }, "must be an object"),
  }),
};

export const jsonSchema = z.object({
  json_schema: z.object({
    name: text.nullish(),
    description: text.nullish(),
    schema: object.nullish(),
    strict: flag,
  }, "must be an object"),
});

/** Used in the API description. */
export const requestJsonSchema = lazyJsonSchema(request);

/** Checks a body's structure and gives its messages. Throws `invalid_request` that names the first wrong field. */
export function assertRequest(body: JsonObject): readonly JsonObject[] {
  if (!isUsual(body, usualMembers, requiredMembers)) assertShape(request, body, "");
  assertTyped(toolSchemas, body.tools, "tools");
  for (const [index, tool] of objectsOf(body.tools).entries()) {
    const { format } = objectOf(tool.type === "custom" ? tool.custom : undefined);
    if (isJsonObject(format)) {
      assertOneOf(textFormatSchemas, format, `tools[${index}].custom.format`);
    }
  }
  for (const [index, tool] of listOf(body.functions).entries()) {
    assertShape(declaration, tool, `functions[${index}]`);
  }
  if (isJsonObject(body.tool_choice)) assertOneOf(choiceSchemas, body.tool_choice, "tool_choice");
  if (isJsonObject(body.response_format) && body.response_format.type === "json_schema") {
    assertShape(jsonSchema, body.response_format, "response_format");
  }
  return listOf(body.messages).map((message, index) =>
    isPlainMessage(message) ? message : assertMessage(message, `messages[${index}]`)
  );
}

const usualMembers: UsualMembers = new Map<string, (value: unknown) => boolean>([
  ["model", (value) => typeof value === "string" && value !== ""],
  ["messages", (value) => Array.isArray(value) && value.length > 0],
  ["stream", (value) => typeof value === "boolean"],
  ["max_completion_tokens", Number.isFinite],
  ["max_tokens", Number.isFinite],
  ["temperature", Number.isFinite],
  ["top_p", Number.isFinite],
  ["tools", areObjects],
]);

const requiredMembers = ["model", "messages"];

const plainRoles: ReadonlySet<unknown> = new Set(["developer", "system", "user", "assistant"]);

/** Returns true for a message of one text and nothing else, which needs no schema. */
function isPlainMessage(message: unknown): message is JsonObject {
  if (!isJsonObject(message) || typeof message.content !== "string") return false;
  for (const name in message) if (name !== "role" && name !== "content") return false;
  return plainRoles.has(message.role);
}

function assertMessage(message: unknown, path: string): JsonObject {
  if (!isJsonObject(message)) throw refused(path, "must be an object");
  const { role } = message;
  if (typeof role !== "string" || !Object.hasOwn(messageSchemas, role)) {
    throw refused(`${path}.role`, `must be one of ${Object.keys(messageSchemas).join(", ")}`);
  }
  assertShape(messageSchemas[role], message, path);
  assertTyped(partSchemas, message.content, `${path}.content`);
  assertTyped(callSchemas, typedCalls(message.tool_calls), `${path}.tool_calls`);
  return message;
}

/** An array whose members each have a type; members of unknown types pass. */
function assertTyped(schemas: SchemasByType, list: unknown, path: string) {
  for (const [index, value] of listOf(list).entries()) {
    const at = `${path}[${index}]`;
    if (!isJsonObject(value)) throw refused(at, "must be an object");
    if (typeof value.type !== "string") throw refused(`${at}.type`, "must be a string");
    assertOneOf(schemas, value, at);
  }
}

/** Some upstreams leave `type` out of their calls, and so do clients that replay them. */
function typedCalls(calls: unknown): unknown {
  if (!Array.isArray(calls)) return calls;
  return calls.map((call) => {
    const kind = isJsonObject(call) && typeof call.type !== "string" && wireCallOf(call)?.kind;
    return kind ? { ...call, type: kind } : call;
  });
}
