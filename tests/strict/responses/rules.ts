import { signer } from "../proof.ts";
import { schemaFaults, strictDialects } from "../schema_rules.ts";
import type { OfferedTool } from "../small_model.ts";
import type { Rule } from "../vendor.ts";
import { isMessage, type Item, itemsOf, type ResponsesBody } from "./schema.ts";

/** Signs the model's thoughts, independently of the summary shown. */
export const encryption = signer("responses-vendor");

type ResponsesRule = Rule<ResponsesBody>;

/** Rules of the responses vendor beyond the body's schema. */
export const responsesRules: readonly ResponsesRule[] = [
  {
    name: "stream options without a stream",
    source: "responses 2.1",
    violations: function* ({ stream, stream_options: options }) {
      if (options && !stream) {
        yield "The 'stream_options' parameter is only allowed when 'stream' is enabled";
      }
    },
  },
  {
    name: "parameters that reasoning models refuse",
    source: "responses 2.1",
    violations: function* ({ model, temperature, top_p, reasoning }) {
      if (!reasons(model) || reasoning?.effort === "none") return;
      if ((temperature ?? 1) !== 1) {
        yield "Unsupported parameter: 'temperature' is not supported with this model";
      }
      if ((top_p ?? 1) !== 1) {
        yield "Unsupported parameter: 'top_p' is not supported with this model";
      }
    },
  },
  {
    name: "reasoning of other models",
    source: "responses 2.1",
    violations: function* ({ model, reasoning }) {
      if (!reasons(model) && reasoning?.effort && reasoning.effort !== "none") {
        yield "Unsupported parameter: 'reasoning.effort' is not supported with this model";
      }
    },
  },
  {
    name: "tool choice without tools",
    source: "responses 2.5",
    violations: function* (body) {
      const { tool_choice: choice } = body;
      if (choice == null || choice === "auto" || choice === "none") return;
      const names = offeredTools(body).map(({ name }) => name);
      if (names.length === 0) yield "Tool choice must be specified with 'tools'";
      for (const name of chosenNames(choice)) {
        if (!names.includes(name)) yield `Tool choice '${name}' not found in 'tools' parameter`;
      }
    },
  },
  {
    name: "unique tool names",
    source: "responses 2.4",
    violations: function* (body) {
      const names = toolsOf(body).map((tool) => "name" in tool ? tool.name : tool.type);
      if (new Set(names).size < names.length) yield "Tool names must be unique";
    },
  },
  {
    name: "tool schemas",
    source: "conversions 5",
    violations: function* (body) {
      const all = toolsOf(body).flatMap((tool) => tool.type === "namespace" ? tool.tools : [tool]);
      for (const tool of all) {
        if (tool.type !== "function" || !tool.parameters) continue;
        const { parameters, strict, name } = tool;
        if (parameters.type !== "object") {
          yield `Invalid schema for function '${name}': schema must be of type "object"`;
        }
        // an omitted strict means that the vendor tries the strict mode
        yield* schemaFaults(
          parameters,
          strict === false ? strictDialects.open : strictDialects.openStrict,
        );
      }
    },
  },
  {
    name: "answer schema",
    source: "conversions 5",
    violations: function* ({ text }) {
      if (text?.format?.type !== "json_schema") return;
      const { schema, strict } = text.format;
      if (schema.type !== "object") {
        yield 'Invalid schema for text.format: schema must be of type "object"';
      }
      yield* schemaFaults(schema, strict ? strictDialects.openStrict : strictDialects.open);
    },
  },
  {
    name: "the word JSON in JSON mode",
    source: "responses 2.1",
    violations: function* ({ text, input, instructions }) {
      if (text?.format?.type !== "json_object") return;
      if (!/json/i.test(JSON.stringify([input, instructions]))) {
        yield "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'";
      }
    },
  },
  {
    name: "results of calls",
    source: "responses 3",
    violations: function* (body) {
      const items = itemsOf(body);
      yield* pairingFaults(items, "function_call", "function_call_output");
      yield* pairingFaults(items, "custom_tool_call", "custom_tool_call_output");
    },
  },
  {
    name: "reasoning and what follows it",
    source: "responses 3",
    violations: function* (body) {
      const items = itemsOf(body);
      for (const [index, item] of items.entries()) {
        if (isMessage(item) || item.type !== "reasoning") continue;
        const next = items[index + 1];
        const follows = next !== undefined &&
          (isMessage(next) ? next.role === "assistant" : !next.type.endsWith("_output"));
        if (!follows) {
          yield `Item '${item.id}' of type 'reasoning' was provided without its required following item`;
        }
      }
    },
  },
  {
    name: "encrypted content",
    source: "responses 3",
    violations: function* (body) {
      for (const proof of proofsOf(body)) {
        if (encryption.open(proof) === undefined) {
          yield "The encrypted content could not be verified (invalid_encrypted_content)";
        }
      }
    },
  },
  {
    name: "reasoning that nobody stored",
    source: "responses 3",
    violations: function* (body) {
      for (const item of itemsOf(body)) {
        if (isMessage(item) || item.type !== "reasoning" || item.encrypted_content) continue;
        yield `Item with id '${item.id}' not found`;
      }
    },
  },
  {
    name: "media sources",
    source: "responses 2.3",
    violations: function* (body) {
      for (const part of partsOf(body)) {
        const { type } = part;
        if (type === "input_image" && !part.image_url && !part.file_id) {
          yield "input_image needs an image_url or a file_id";
        }
        if (type !== "input_file") continue;
        if (!part.file_id && !part.file_url && !part.file_data) {
          yield "input_file needs a file_id, file_url or file_data";
        }
        if (part.file_data && !part.filename) yield "Missing required parameter: 'filename'";
      }
    },
  },
  {
    name: "metadata",
    source: "responses 2.1",
    violations: function* ({ metadata }) {
      if (Object.keys(metadata ?? {}).length > 16) yield "'metadata' has too many properties";
    },
  },
  {
    name: "an address as end user",
    source: "conversions 3",
    violations: function* ({ safety_identifier, user }) {
      if (/\S@\S/.test(safety_identifier ?? user ?? "")) {
        yield "'safety_identifier' must not hold an e-mail address";
      }
    },
  },
];

export const reasons = (model: string) => /^(o\d|gpt-5)/.test(model);

/** The tools that a call may name. */
export function offeredTools(body: ResponsesBody): OfferedTool[] {
  return toolsOf(body).flatMap((tool) => {
    switch (tool.type) {
      case "namespace":
        return tool.tools.map((inner) => ({ ...offered(inner), namespace: tool.name }));
      case "web_search":
      case "tool_search":
        return [];
      default:
        return [offered(tool)];
    }
  });
}

/** The request's own tools, and those in items of its input. */
function toolsOf(body: ResponsesBody): NonNullable<ResponsesBody["tools"]> {
  const additional = itemsOf(body).flatMap((item) =>
    item.type === "additional_tools" ? item.tools : []
  );
  return [...body.tools ?? [], ...additional];
}

function offered({ type, name }: { type: "function" | "custom"; name: string }): OfferedTool {
  return { name, ...(type === "custom" && { takesText: true }) };
}

function chosenNames(choice: NonNullable<ResponsesBody["tool_choice"]>): string[] {
  if (typeof choice === "string") return [];
  return choice.type === "allowed_tools" ? choice.tools.map(({ name }) => name) : [choice.name];
}

function* pairingFaults(
  items: readonly Item[],
  call: "function_call" | "custom_tool_call",
  result: "function_call_output" | "custom_tool_call_output",
): Generator<string> {
  const idsOf = (type: string) =>
    items.flatMap((item, index) =>
      !isMessage(item) && item.type === type && "call_id" in item
        ? [{ id: item.call_id, index }]
        : []
    );
  const calls = idsOf(call);
  const results = idsOf(result);
  for (const { id, index } of calls) {
    if (!results.some((other) => other.id === id && other.index > index)) {
      yield `No tool output found for ${call.replace("_", " ")} ${id}`;
    }
  }
  for (const { id, index } of results) {
    if (!calls.some((other) => other.id === id && other.index < index)) {
      yield `No tool call found for ${call.replace("_", " ")} output with call_id ${id}`;
    }
  }
  if (new Set(calls.map(({ id }) => id)).size < calls.length) yield "Duplicate call_id";
  if (new Set(results.map(({ id }) => id)).size < results.length) {
    yield "Duplicate call_id of outputs";
  }
}

function partsOf(body: ResponsesBody) {
  return itemsOf(body).flatMap((item) => {
    if (isMessage(item)) return typeof item.content === "string" ? [] : [...item.content];
    return "output" in item && typeof item.output !== "string" ? item.output : [];
  });
}

/** The signatures in a history. */
export function proofsOf(body: ResponsesBody): string[] {
  return itemsOf(body).flatMap((item) =>
    !isMessage(item) && item.type === "reasoning" && item.encrypted_content
      ? [item.encrypted_content]
      : []
  );
}
