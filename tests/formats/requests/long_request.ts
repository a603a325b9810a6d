import {
  type FormatName,
  type JsonObject,
  type Note,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Requests of an agent's size, for tests of other members. */

const model = "m";
const system = "You are a coding agent. ".repeat(800);
const output = "src/main.ts: 1 match\n".repeat(100);
const parameters: JsonObject = {
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
  additionalProperties: false,
};
const rounds = Array.from({ length: 24 }, (_, at) => ({
  id: `call_${at}`,
  args: { command: `grep -rn word_${at} src` },
}));
const shell = { name: "shell", description: "Runs a command" };

/** A body of about 75 kB in each format: a question, 24 calls with their results, and another request. */
export const longBodies = {
  "chat-completions": {
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: "Find the words" },
      ...rounds.flatMap(({ id, args }) => [
        {
          role: "assistant",
          content: null,
          tool_calls: [{
            id,
            type: "function",
            function: { name: "shell", arguments: JSON.stringify(args) },
          }],
        },
        { role: "tool", tool_call_id: id, content: output },
      ]),
    ],
    tools: [{ type: "function", function: { ...shell, parameters } }],
  },
  responses: {
    model,
    store: false,
    instructions: system,
    input: [
      { role: "user", content: "Find the words" },
      ...rounds.flatMap(({ id, args }) => [
        { type: "function_call", call_id: id, name: "shell", arguments: JSON.stringify(args) },
        { type: "function_call_output", call_id: id, output },
      ]),
    ],
    tools: [{ type: "function", ...shell, parameters }],
  },
  messages: {
    model,
    max_tokens: 4096,
    system,
    messages: [
      { role: "user", content: "Find the words" },
      ...rounds.flatMap(({ id, args }) => [
        { role: "assistant", content: [{ type: "tool_use", id, name: "shell", input: args }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
      ]),
    ],
    tools: [{ ...shell, input_schema: parameters }],
  },
  "generate-content": {
    systemInstruction: { parts: [{ text: system }] },
    contents: [
      { role: "user", parts: [{ text: "Find the words" }] },
      ...rounds.flatMap(({ id, args }) => [
        { role: "model", parts: [{ functionCall: { id, name: "shell", args } }] },
        {
          role: "user",
          parts: [{ functionResponse: { id, name: "shell", response: { output } } }],
        },
      ]),
    ],
    tools: [{ functionDeclarations: [{ ...shell, parametersJsonSchema: parameters }] }],
  },
} as const satisfies Record<FormatName, JsonObject>;

export interface Conversion {
  readonly from: FormatName;
  readonly to: FormatName;
  /** The upstream's model. */
  readonly model: string;
}

/** A body converted as the gateway does it for an upstream of another format, with its notes. */
export function converted(
  body: JsonObject,
  { from, to, model }: Conversion,
): { readonly body: JsonObject; readonly notes: readonly Note[] } {
  const path = from === "generate-content" ? `/models/${model}:generateContent` : "";
  const wire = { path, search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
  const { request, notes } = repairTurns(codecs[from].decodeRequest(wire));
  const encoded = encodeAtOnce(codecs[to], { ...request, model });
  return {
    body: JSON.parse(JSON.stringify(encoded.wire.body)),
    notes: [...notes, ...encoded.notes],
  };
}

/** `path action` of each note. */
export function told(notes: readonly Note[]): readonly string[] {
  return notes.map(({ path, action }) => `${path} ${action}`);
}
