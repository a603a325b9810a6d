import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import {
  assertOneOf,
  assertShape,
  filled,
  flag,
  lazyJsonSchema,
  number,
  object,
  objects,
  refused,
  type SchemasByType,
  text,
  textMap,
  textOrParts,
  texts,
} from "../schema.ts";
import { listOf, saysNothing } from "../wire_value.ts";

/** Structure of a request, top level first. Unknown members pass; `null` is the same as absent. */

export const request = z.looseObject({
  model: filled,
  input: z.union([z.string(), z.array(z.unknown())], "must be a string or an array").nullish(),
  instructions: text.nullish(),
  stream: flag,
  stream_options: object.nullish(),
  max_output_tokens: number,
  max_tool_calls: number,
  temperature: number,
  top_p: number,
  top_logprobs: number,
  reasoning: object.nullish(),
  text: object.nullish(),
  tools: objects.nullish(),
  parallel_tool_calls: flag,
  store: flag,
  include: texts.nullish(),
  metadata: textMap.nullish(),
  service_tier: text.nullish(),
  prompt_cache_key: text.nullish(),
  safety_identifier: text.nullish(),
  user: text.nullish(),
  tool_choice: z.union(
    [z.literal(["none", "auto", "required"]), z.looseObject({ type: z.string() })],
    'must be "none", "auto", "required" or an object with a type',
  ).nullish(),
}, "must be an object");

const customTool = z.object({ name: text, description: text.nullish() });
export const textFormat = z.object({ name: text.nullish(), schema: object, strict: flag });
const functionTool = z.object({
  name: text,
  description: text.nullish(),
  parameters: object.nullish(),
  strict: flag,
});

export const itemSchemas: SchemasByType = {
  message: z.object({
    role: z.enum(
      ["user", "assistant", "system", "developer"],
      "must be user, assistant, system or developer",
    ),
    content: textOrParts,
  }),
  reasoning: z.object({
    summary: objects.nullish(),
    content: objects.nullish(),
    encrypted_content: text.nullish(),
  }),
  function_call: z.object({
    call_id: filled,
    name: text,
    arguments: text,
    namespace: text.nullish(),
  }),
  custom_tool_call: z.object({
    call_id: filled,
    name: text,
    input: text,
    namespace: text.nullish(),
  }),
  function_call_output: output(),
  custom_tool_call_output: output(),
};

export const contentSchemas: SchemasByType = {
  input_text: z.object({ text }),
  output_text: z.object({ text, annotations: objects.nullish() }),
  refusal: z.object({ refusal: text }),
  input_image: z.object({ image_url: text.nullish(), file_id: text.nullish() })
    .refine(
      (part) => typeof part.image_url === "string" || typeof part.file_id === "string",
      "needs image_url or file_id",
    ),
  input_file: z.object({
    file_data: text.nullish(),
    file_url: text.nullish(),
    file_id: text.nullish(),
    filename: text.nullish(),
  }).refine(
    (part) =>
      [part.file_data, part.file_url, part.file_id].some((value) => typeof value === "string"),
    "needs file_data, file_url or file_id",
  ),
  input_audio: z.object({ input_audio: z.object({ data: text, format: text }) }),
};

export const memberSchemas: SchemasByType = { function: functionTool, custom: customTool };
export const toolSchemas: SchemasByType = {
  ...memberSchemas,
  namespace: z.object({ name: text, tools: objects }),
};

/** Used in the API description. */
export const requestJsonSchema = lazyJsonSchema(request);

/** Checks a body's structure and gives its items. Throws `invalid_request` that names the first wrong field. */
export function assertRequest(body: JsonObject): readonly JsonObject[] {
  assertShape(request, body, "");
  assertTools(body.tools, "tools");
  const format = isJsonObject(body.text) ? body.text.format : undefined;
  if (format !== undefined && format !== null && !isJsonObject(format)) {
    throw refused("text.format", "must be an object");
  }
  if (isJsonObject(format) && format.type === "json_schema") {
    assertShape(textFormat, format, "text.format");
  }
  const items = Array.isArray(body.input) ? body.input : [];
  return items.map((item, index) => assertItem(item, `input[${index}]`));
}

/** The type of an item; messages and references may omit it. */
export function itemType(item: JsonObject): string | undefined {
  if (typeof item.type === "string") return item.type;
  if (item.type !== undefined && item.type !== null) return undefined;
  if (!saysNothing(item.role)) return "message";
  return typeof item.id === "string" ? "item_reference" : undefined;
}

function assertItem(item: unknown, path: string): JsonObject {
  if (!isJsonObject(item)) throw refused(path, "must be an object");
  const type = itemType(item);
  if (type === undefined) throw refused(`${path}.type`, "must be the name of an item type");
  const schema = Object.hasOwn(itemSchemas, type) ? itemSchemas[type] : undefined;
  if (!schema) return item;
  assertShape(schema, item, path);
  if (type === "message") assertList(contentSchemas, item.content, `${path}.content`);
  if (type.endsWith("_output")) assertList(contentSchemas, item.output, `${path}.output`);
  return item;
}

function assertList(schemas: SchemasByType, list: unknown, path: string): void {
  for (const [index, value] of listOf(list).entries()) {
    const at = `${path}[${index}]`;
    assertTyped(value, at);
    assertOneOf(schemas, value, at);
  }
}

function assertTools(tools: unknown, path: string): void {
  for (const [index, tool] of listOf(tools).entries()) {
    const at = `${path}[${index}]`;
    assertTyped(tool, at);
    assertOneOf(toolSchemas, tool, at);
    if (tool.type === "namespace") assertList(memberSchemas, tool.tools, `${at}.tools`); // none within
  }
}

function assertTyped(value: unknown, path: string): asserts value is JsonObject {
  if (isJsonObject(value) && typeof value.type === "string") return;
  throw refused(`${path}.type`, "must be a string");
}

/**
 * `output` may be empty but not absent: the vendor refuses that, too. The id of the call may be
 * absent if the tool is named.
 */
function output() {
  return z.object({
    call_id: text.nullish(),
    name: text.nullish(),
    output: textOrParts,
  }).refine(({ call_id: id, name }) => Boolean(id || name), {
    path: ["call_id"],
    error: "must be a non-empty string if there is no name",
  });
}
