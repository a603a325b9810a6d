import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
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
  refused,
  type SchemasByType,
  text,
  textOrParts as content,
  texts,
  type UsualMembers,
} from "../schema.ts";
import { objectsOf } from "../wire_value.ts";

const count = z.int("must be a whole number").min(0, "must not be negative");

/** The members that a token count requires; a generation also requires `max_tokens`. */
const countRequest = z.looseObject({
  model: filled,
  messages: z.array(object, "must be an array of messages").min(1, "must not be empty"),
  system: content.nullish(),
  stream: flag,
  temperature: number,
  top_p: number,
  top_k: number,
  stop_sequences: texts.nullish(),
  tools: z.array(object, "must be an array of tools").nullish(),
  tool_choice: z.looseObject({
    type: text,
    disable_parallel_tool_use: flag,
  }, "must be an object with a type").nullish(),
  thinking: z.looseObject({ type: text, budget_tokens: count.nullish() }, "must be an object")
    .nullish(),
  output_config: z.looseObject({ format: outputFormat().nullish() }, "must be an object").nullish(),
  output_format: outputFormat().nullish(),
  metadata: z.looseObject({ user_id: text.nullish() }, "must be an object").nullish(),
  service_tier: text.nullish(),
}, "must be an object");

export const generationRequest = countRequest.extend({ max_tokens: count });

export const message = z.object({
  role: z.enum(["user", "assistant", "system"], "must be user, assistant or system"),
  content,
});
/** A message that may contain its settings only. */
export const settingsMessage = z.object({ output_config: object, content: content.nullish() });

export const blockSchemas: SchemasByType = {
  text: z.object({ text, citations: z.unknown().optional() }),
  image: z.object({ source: source({ data: ["base64"], url: ["url"], file_id: ["file"] }) }),
  document: z.object({
    source: source({ data: ["base64", "text"], url: ["url"], file_id: ["file"] }),
    title: text.nullish(),
  }),
  search_result: z.object({
    source: text,
    title: text,
    content: z.array(object, "must be an array of text parts"),
  }),
  thinking: z.object({ thinking: text, signature: text.nullish() }),
  redacted_thinking: z.object({ data: text }),
  tool_use: z.object({ id: filled, name: filled, input: object }),
  tool_result: z.object({
    tool_use_id: filled,
    content: content.nullish(),
    is_error: flag,
  }),
  tool_reference: z.object({ tool_name: text }),
};

export const clientTool = z.object({
  name: filled,
  description: text.nullish(),
  input_schema: object,
  strict: flag,
});

/** Used in the API description. */
export const requestJsonSchema = lazyJsonSchema(generationRequest);

/** Checks a body's structure. Throws `invalid_request` that names the first wrong field. */
export function assertRequest(body: JsonObject, purpose: "generation" | "count"): void {
  if (!isUsual(body, usualMembers, requiredMembers)) {
    assertShape(purpose === "count" ? countRequest : generationRequest, body, "");
  }
  assertContent(body.system, "system");
  for (const [index, tool] of objectsOf(body.tools).entries()) assertTool(tool, `tools[${index}]`);
  const messages = objectsOf(body.messages);
  for (let index = 0; index < messages.length; index++) {
    const entry = messages[index];
    if (isPlainMessage(entry)) continue;
    const path = `messages[${index}]`;
    assertShape(isSettings(entry) ? settingsMessage : message, entry, path);
    assertContent(entry.content, `${path}.content`);
  }
  const choice = body.tool_choice;
  if (isJsonObject(choice) && choice.type === "tool" && typeof choice.name !== "string") {
    throw refused("tool_choice.name", "must be a string");
  }
}

const usualMembers: UsualMembers = new Map<string, (value: unknown) => boolean>([
  ["model", (value) => typeof value === "string" && value !== ""],
  ["messages", (value) => areObjects(value) && value.length > 0],
  ["max_tokens", (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  ["system", (value) => typeof value === "string" || Array.isArray(value)],
  ["stream", (value) => typeof value === "boolean"],
  ["temperature", Number.isFinite],
  ["tools", areObjects],
]);

const requiredMembers = ["model", "messages", "max_tokens"];

/** Returns true for most messages, which need no schema. */
function isPlainMessage({ role, content }: JsonObject): boolean {
  return (role === "user" || role === "assistant") && typeof content === "string";
}

function isSettings({ role, output_config: config }: JsonObject): boolean {
  return role === "system" && isJsonObject(config);
}

function assertContent(value: unknown, path: string, depth = 0): void {
  if (!Array.isArray(value)) return;
  for (const [index, block] of value.entries()) {
    if (isPlainText(block)) continue;
    const at = `${path}[${index}]`;
    if (!isJsonObject(block)) throw refused(at, "must be an object");
    const { type } = block;
    if (typeof type !== "string") throw refused(`${at}.type`, "must be a string");
    assertOneOf(blockSchemas, block, at);
    if (type === "tool_result" && depth === 0) assertContent(block.content, `${at}.content`, 1);
  }
}

function isPlainText(block: unknown): boolean {
  return isJsonObject(block) && block.type === "text" && typeof block.text === "string";
}

/** The vendor's own tools have a type and need no schema. */
function assertTool(tool: JsonObject, path: string): void {
  const { type } = tool;
  if (type === undefined || type === null || type === "custom") {
    assertShape(clientTool, tool, path);
  } else if (typeof type !== "string") throw refused(`${path}.type`, "must be a string");
}

function outputFormat() {
  return z.looseObject({ type: text, schema: z.unknown().optional() }, "must be an object")
    .refine(
      ({ type, schema }) => type !== "json_schema" || isJsonObject(schema),
      { path: ["schema"], error: "must be an object" },
    );
}

/** A medium's source: its type decides which member must be a string. */
function source(fields: Readonly<Record<string, readonly string[]>>) {
  return z.looseObject({ type: text }, "must be an object").superRefine((value, check) => {
    for (const [field, types] of Object.entries(fields)) {
      if (types.includes(value.type) && typeof value[field] !== "string") {
        check.addIssue({ code: "custom", path: [field], message: "must be a string" });
      }
    }
  });
}
