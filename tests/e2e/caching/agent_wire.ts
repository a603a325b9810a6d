import type { JsonObject } from "../../../lib/canonical/mod.ts";

const words = "The build reads every file of the package and reports what it finds in each. ";
const textOf = (about: string, chars: number) =>
  `${about}: ${words.repeat(Math.ceil(chars / words.length))}`.slice(0, chars);

const parameters = {
  type: "object",
  properties: { path: { type: "string", description: textOf("The path", 200) } },
  required: ["path"],
};
const names = Array.from({ length: 12 }, (_, index) => `tool_${index}`);
const instructions = textOf("You are a coding agent", 15_000);
const task = textOf("Repair the build", 2_000);
const said = (turn: number) => textOf(`Step ${turn}`, 400);
const result = (turn: number, call: number) => textOf(`Result ${turn}.${call}`, 3_000);

/** The number of turns, and of parallel calls in a turn. */
export interface AgentTurns {
  readonly turns: number;
  readonly callsAtOnce?: number;
}

/** An agent's request of 100 KB at 20 turns, each with calls of tools and their results. */
export const agentWires: Readonly<
  Record<string, { readonly path: string; readonly body: (agent: AgentTurns) => JsonObject }>
> = {
  "chat-completions": { path: "/v1/chat/completions", body: chatBody },
  responses: { path: "/v1/responses", body: responsesBody },
  "generate-content": {
    path: "/v1beta/models/claude-sonnet-4-5:generateContent",
    body: generateBody,
  },
};

/** The same in the messages format, whose clients set their own breakpoints: the last one moves. */
export const messagesWire = { path: "/v1/messages", body: messagesBody } as const;

function messagesBody({ turns }: AgentTurns): JsonObject {
  const mark = { cache_control: { type: "ephemeral" } };
  const history = range(turns).flatMap((turn) => [
    { role: "assistant", content: said(turn) },
    {
      role: "user",
      content: [{ type: "text", text: result(turn, 0), ...(turn === turns - 1 && mark) }],
    },
  ]);
  return {
    model: "claude-sonnet-4-5",
    max_tokens: 500,
    system: [{ type: "text", text: instructions, ...mark }],
    tools: names.map((name) => ({
      name,
      description: textOf(name, 1_000),
      input_schema: parameters,
    })),
    messages: [{ role: "user", content: task }, ...history],
  };
}

function chatBody({ turns, callsAtOnce = 1 }: AgentTurns): JsonObject {
  const history = range(turns).flatMap((turn) => [
    {
      role: "assistant",
      content: said(turn),
      tool_calls: range(callsAtOnce).map((call) => ({
        id: `call_${turn}_${call}`,
        type: "function",
        function: { name: names[turn % names.length], arguments: `{"path":"${turn}/${call}"}` },
      })),
    },
    ...range(callsAtOnce).map((call) => ({
      role: "tool",
      tool_call_id: `call_${turn}_${call}`,
      content: result(turn, call),
    })),
  ]);
  return {
    model: "claude-sonnet-4-5",
    max_completion_tokens: 500,
    prompt_cache_key: "session-1",
    tools: names.map((name) => ({
      type: "function",
      function: { name, description: textOf(name, 1_000), parameters },
    })),
    messages: [
      { role: "system", content: instructions },
      { role: "user", content: task },
      ...history,
    ],
  };
}

function responsesBody({ turns, callsAtOnce = 1 }: AgentTurns): JsonObject {
  const history = range(turns).flatMap((turn) => [
    { type: "message", role: "assistant", content: [{ type: "output_text", text: said(turn) }] },
    ...range(callsAtOnce).map((call) => ({
      type: "function_call",
      call_id: `call_${turn}_${call}`,
      name: names[turn % names.length],
      arguments: `{"path":"${turn}/${call}"}`,
    })),
    ...range(callsAtOnce).map((call) => ({
      type: "function_call_output",
      call_id: `call_${turn}_${call}`,
      output: result(turn, call),
    })),
  ]);
  return {
    model: "claude-sonnet-4-5",
    max_output_tokens: 500,
    store: false,
    prompt_cache_key: "session-1",
    instructions,
    tools: names.map((name) => ({
      type: "function",
      name,
      description: textOf(name, 1_000),
      parameters,
    })),
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: task }] },
      ...history,
    ],
  };
}

function generateBody({ turns, callsAtOnce = 1 }: AgentTurns): JsonObject {
  const history = range(turns).flatMap((turn) => {
    const calls = range(callsAtOnce).map((call) => ({
      id: `call_${turn}_${call}`,
      name: names[turn % names.length],
      args: { path: `${turn}/${call}` },
    }));
    return [
      {
        role: "model",
        parts: [{ text: said(turn) }, ...calls.map((functionCall) => ({ functionCall }))],
      },
      {
        role: "user",
        parts: calls.map(({ id, name }, call) => ({
          functionResponse: { id, name, response: { output: result(turn, call) } },
        })),
      },
    ];
  });
  return {
    generationConfig: { maxOutputTokens: 500 },
    systemInstruction: { parts: [{ text: instructions }] },
    tools: [{
      functionDeclarations: names.map((name) => ({
        name,
        description: textOf(name, 1_000),
        parametersJsonSchema: parameters,
      })),
    }],
    contents: [{ role: "user", parts: [{ text: task }] }, ...history],
  };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
