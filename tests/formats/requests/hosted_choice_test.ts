import { assertEquals, assertThrows } from "@std/assert";
import { type FormatName, GatewayError, type JsonObject } from "../../../lib/canonical/mod.ts";
import { objectOf } from "../../../lib/formats/wire_value.ts";
import { converted, longBodies, told } from "./long_request.ts";

/** A forced hosted tool stays forced, or the caller gets a note or a refusal. */

type Source = "responses" | "messages" | "generate-content";
const from: Readonly<
  Record<Source, (tools: readonly JsonObject[], choice: unknown) => JsonObject>
> = {
  responses: (
    tools,
    choice,
  ) => ({ ...longBodies.responses, tools, tool_choice: choice } as JsonObject), // sound: plain JSON
  messages: (
    tools,
    choice,
  ) => ({ ...longBodies.messages, tools, tool_choice: choice } as JsonObject), // sound: plain JSON
  "generate-content": (tools, mode) => ({
    ...longBodies["generate-content"],
    tools,
    toolConfig: { functionCallingConfig: { mode } },
  } as JsonObject), // sound: plain JSON
};

const search = {
  responses: { type: "web_search" },
  messages: { type: "web_search_20250305", name: "web_search" },
  "generate-content": { googleSearch: {} },
} as const;
const code = {
  responses: { type: "code_interpreter", container: { type: "auto" } },
  messages: { type: "code_execution_20250825", name: "code_execution" },
} as const;
const fetch = { type: "web_fetch_20250910", name: "web_fetch" };
const shell = {
  responses: longBodies.responses.tools[0],
  messages: longBodies.messages.tools[0],
} as const;

const models = {
  "chat-completions": "gpt-5.1",
  responses: "gpt-5.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro",
} as const satisfies Record<FormatName, string>;

interface Row {
  readonly from: Source;
  readonly tools: readonly JsonObject[];
  readonly choice: unknown;
  readonly to: FormatName;
  readonly model?: string;
  /** The converted choice, or a refusal. */
  readonly expected: unknown;
  readonly notes?: readonly string[];
}

const noted = ["toolChoice dropped"];
const rows: readonly Row[] = [
  // any, with hosted tools alone
  {
    from: "responses",
    tools: [search.responses],
    choice: "required",
    to: "messages",
    expected: { type: "any" },
  },
  {
    from: "messages",
    tools: [search.messages],
    choice: { type: "any" },
    to: "responses",
    expected: "required",
  },
  {
    from: "generate-content",
    tools: [search["generate-content"]],
    choice: "ANY",
    to: "messages",
    expected: { type: "any" },
  },
  {
    from: "responses",
    tools: [search.responses],
    choice: "required",
    to: "generate-content",
    expected: undefined,
    notes: noted,
  },
  {
    from: "messages",
    tools: [search.messages],
    choice: { type: "any" },
    to: "generate-content",
    expected: undefined,
    notes: noted,
  },
  {
    from: "messages",
    tools: [fetch],
    choice: { type: "any" },
    to: "responses",
    expected: undefined,
    notes: ["tools[0] dropped", ...noted],
  },
  {
    from: "responses",
    tools: [search.responses],
    choice: "required",
    to: "chat-completions",
    expected: undefined,
    notes: ["tools[0] dropped", ...noted],
  },
  // a hosted tool by name
  {
    from: "responses",
    tools: [search.responses],
    choice: { type: "web_search" },
    to: "messages",
    expected: { type: "tool", name: "web_search" },
  },
  {
    from: "responses",
    tools: [shell.responses, search.responses],
    choice: { type: "web_search_preview" },
    to: "messages",
    expected: { type: "tool", name: "web_search" },
  },
  {
    from: "responses",
    tools: [code.responses],
    choice: { type: "code_interpreter" },
    to: "messages",
    expected: { type: "tool", name: "code_execution" },
  },
  {
    from: "messages",
    tools: [search.messages],
    choice: { type: "tool", name: "web_search" },
    to: "responses",
    expected: { type: "web_search" },
  },
  {
    from: "messages",
    tools: [shell.messages, code.messages],
    choice: { type: "tool", name: "code_execution" },
    to: "responses",
    expected: { type: "code_interpreter" },
  },
  {
    from: "messages",
    tools: [shell.messages, search.messages],
    choice: { type: "tool", name: "shell" },
    to: "responses",
    expected: { type: "function", name: "shell" },
  },
  {
    from: "responses",
    tools: [search.responses],
    choice: { type: "web_search" },
    to: "generate-content",
    expected: undefined,
    notes: noted,
  },
  {
    from: "messages",
    tools: [search.messages],
    choice: { type: "tool", name: "web_search" },
    to: "generate-content",
    expected: undefined,
    notes: noted,
  },
  {
    from: "messages",
    tools: [shell.messages, search.messages],
    choice: { type: "tool", name: "web_search" },
    to: "generate-content",
    expected: "VALIDATED",
    notes: noted,
  },
  // no upstream runs it there
  {
    from: "messages",
    tools: [shell.messages, fetch],
    choice: { type: "tool", name: "web_fetch" },
    to: "responses",
    expected: "refused",
  },
  {
    from: "responses",
    tools: [search.responses],
    choice: { type: "web_search" },
    to: "chat-completions",
    expected: "refused",
  },
  {
    from: "messages",
    tools: [shell.messages, search.messages],
    choice: { type: "tool", name: "web_search" },
    to: "chat-completions",
    expected: "refused",
  },
  {
    from: "messages",
    tools: [shell.messages, search.messages],
    choice: { type: "tool", name: "web_search" },
    to: "generate-content",
    model: "gemini-2.5-pro",
    expected: "refused",
  },
  // a model that always searches
  {
    from: "responses",
    tools: [search.responses],
    choice: { type: "web_search" },
    to: "chat-completions",
    model: "gpt-4o-search-preview",
    expected: undefined,
  },
];

for (const row of rows) {
  const { to, tools, choice, expected, notes = [], model = models[to] } = row;
  Deno.test(`${row.from}: ${JSON.stringify(choice)} of ${JSON.stringify(tools).slice(0, 60)} for ${model} of ${to}`, () => {
    const convert = () => converted(from[row.from](tools, choice), { from: row.from, to, model });
    if (expected === "refused") {
      const error = assertThrows(convert, GatewayError);
      return assertEquals([error.code, error.param], ["unsupported_parameter", "toolChoice"]);
    }
    const sent = convert();
    assertEquals([choiceOf(sent.body), told(sent.notes)], [expected, notes]);
  });
}

for (const { from: source, tools, choice } of rows) {
  Deno.test(`${source}: ${JSON.stringify(choice)} of ${JSON.stringify(tools).slice(0, 60)} stays as it is in its own format`, () => {
    const body = from[source](tools, choice);
    const sent = converted(body, { from: source, to: source, model: models[source] });
    assertEquals(sent.body.tool_choice ?? choiceOf(sent.body), choice);
    assertEquals(sent.notes, []);
  });
}

function choiceOf(body: JsonObject): unknown {
  return body.tool_choice ?? objectOf(objectOf(body.toolConfig).functionCallingConfig).mode;
}
