/**
 * A request as coding agents send it (messages): tools with schemas, a long system prompt, cache
 * breakpoints, and turns that call a tool and quote the file that it read. About `bytes` long, but
 * at least about 50 KB: its tools and its system prompt.
 */
export function agentRequest(bytes: number): Record<string, unknown> {
  const fixed = { max_tokens: 1_000, temperature: 1, system, tools };
  const turns = turnsOf(bytes - JSON.stringify(fixed).length);
  return { ...fixed, messages: [{ role: "user", content: "Fix the failing test" }, ...turns] };
}

const cached = { cache_control: { type: "ephemeral" } };
const sentence =
  "You are an interactive tool that helps users with their software, images and URLs. ";
const system = [
  { type: "text", text: "You are a coding agent.", ...cached },
  { type: "text", text: sentence.repeat(150), ...cached },
];

const toolsCount = 18;
const tools = Array.from({ length: toolsCount }, (_, at) => ({
  name: `tool_${at}`,
  description: "Runs a command in a shell, with a time limit and optional audio. ".repeat(15 + at),
  input_schema: {
    type: "object",
    properties: {
      path: {
        type: "string",
        description: "The absolute path of the file, and not a relative one",
      },
      url: { type: "string", description: "Where to fetch it from" },
      limit: { type: "number", description: "The most lines to return" },
    },
    required: ["path"],
    additionalProperties: false,
    $schema: "http://json-schema.org/draft-07/schema#",
  },
}));

/** Two turns for each tool's use, with files of 1 to 8 KB. */
function turnsOf(bytes: number): unknown[] {
  const turns: unknown[] = [];
  for (let use = 0, length = 0; length < bytes; use++) {
    const id = `toolu_${String(use).padStart(20, "0")}`;
    const pair = [toolUse(id, use), toolResult(id, 1_000 + use * 997 % 7_000)];
    turns.push(...pair);
    length += JSON.stringify(pair).length;
  }
  return turns;
}

function toolUse(id: string, use: number) {
  const input = { path: `/src/file_${use}.ts` };
  const text = { type: "text", text: "Let me read the file." };
  return { role: "assistant", content: [text, { type: "tool_use", id, name: "tool_1", input }] };
}

function toolResult(id: string, bytes: number) {
  const content = [{ type: "tool_result", tool_use_id: id, content: file(bytes) }];
  return { role: "user", content };
}

function file(bytes: number): string {
  let text = "";
  for (let line = 1; text.length < bytes; line++) {
    text +=
      `${line}\texport function handle${line}(request: Request, image?: "a" | 'b'): void {}\n`;
  }
  return text;
}
