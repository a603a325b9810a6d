import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";

/**
 * Sizes of request bodies for tests of callers that leave: a short question, and two as agents send
 * them. Deno 2.8.3 to 2.9.6 notice a caller that leaves only where head and body came in the server's
 * first read, which they do up to about 500 bytes.
 */
export const bodySizes = [
  { size: "300 B", bytes: 300 },
  { size: "20 KB", bytes: 20_000 },
  { size: "1 MB", bytes: 1_000_000 },
] as const;

/** The size of the nth case of a table whose rows take the sizes in turn. */
export function sizeInTurn(at: number): typeof bodySizes[number] {
  return bodySizes[at % bodySizes.length];
}

/** A format's way to write the turns before the last one. */
interface Shape {
  /** The member that holds the turns. */
  readonly turns: "messages" | "input" | "contents";
  readonly said: (text: string) => JsonObject;
  /** A call of a tool and its result. */
  readonly used: (id: string, result: string) => readonly JsonObject[];
  readonly tools: (declared: readonly Declared[]) => readonly JsonObject[];
}

interface Declared extends JsonObject {
  readonly name: string;
  readonly description: string;
}

const schema = {
  type: "object",
  properties: {
    path: { type: "string", description: "The file, from the root of the repository" },
    from: { type: "integer", description: "The first line to read" },
    count: { type: "integer", description: "How many lines to read" },
  },
  required: ["path"],
};
const declared: readonly Declared[] = ["read_file", "search", "list_files", "run_tests"].map(
  (name) => ({ name, description: `Does what ${name} says, and returns its output as text` }),
);
const used = { path: "lib/story/fox.ts", from: 1, count: 40 };
const arguments_ = JSON.stringify(used);

const shapes = {
  "chat-completions": {
    turns: "messages",
    said: (content) => ({ role: "user", content }),
    used: (id, content) => [
      {
        role: "assistant",
        tool_calls: [{
          id,
          type: "function",
          function: { name: "read_file", arguments: arguments_ },
        }],
      },
      { role: "tool", tool_call_id: id, content },
    ],
    tools: (all) =>
      all.map((one) => ({ type: "function", function: { ...one, parameters: schema } })),
  },
  responses: {
    turns: "input",
    said: (content) => ({ role: "user", content }),
    used: (call_id, output) => [
      { type: "function_call", call_id, name: "read_file", arguments: arguments_ },
      { type: "function_call_output", call_id, output },
    ],
    tools: (all) => all.map((one) => ({ type: "function", ...one, parameters: schema })),
  },
  messages: {
    turns: "messages",
    said: (content) => ({ role: "user", content }),
    used: (id, content) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "read_file", input: used }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ],
    tools: (all) => all.map((one) => ({ ...one, input_schema: schema })),
  },
  "generate-content": {
    turns: "contents",
    said: (text) => ({ role: "user", parts: [{ text }] }),
    used: (_id, result) => [
      { role: "model", parts: [{ functionCall: { name: "read_file", args: used } }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "read_file", response: { result } } }],
      },
    ],
    tools: (all) => [{ functionDeclarations: all.map((one) => ({ ...one, parameters: schema })) }],
  },
} as const satisfies Record<FormatName, Shape>;

/** Smaller requests have neither tools nor a history of calls. */
const agentBytesMin = 4_000;
const resultBytes = 4_000;

/**
 * A request of a format, with as many tools, calls and earlier words before its last turn as make
 * its JSON about so large; never smaller than it was.
 */
export function ofSize(format: FormatName, request: unknown, bytes: number): JsonObject {
  const shape: Shape = shapes[format];
  const asked: JsonObject = {
    ...Object(request),
    ...(bytes >= agentBytesMin && { tools: shape.tools(declared) }),
  };
  const own = asked[shape.turns] ?? [];
  const last = Array.isArray(own) ? own : [shape.said(String(own))];
  const history: JsonObject[] = [];
  const room = () =>
    bytes - JSON.stringify({ ...asked, [shape.turns]: [...history, ...last] }).length;
  const calls = Math.floor(Math.max(0, room()) / (resultBytes + 300));
  history.push(
    ...Array.from({ length: calls }, (_, at) => shape.used(`call_${at}`, words(resultBytes)))
      .flat(),
  );
  const overhead = JSON.stringify(shape.said("")).length + 1;
  const left = room() - overhead;
  if (left > 0) history.unshift(shape.said(words(left)));
  return { ...asked, [shape.turns]: [...history, ...last] };
}

/** Text of so many characters, each of one byte in JSON. */
export function words(length: number): string {
  return "The quick brown fox jumps over the lazy dog. ".repeat(Math.ceil(length / 45)).slice(
    0,
    length,
  );
}
