import { assert } from "@std/assert";
import {
  type FormatName,
  formatNames,
  type JsonObject,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { wireOf } from "../recorded_wire.ts";

/** Converting requests of 40,000 short pieces takes as long as parsing them: all callers wait for one. */

const count = 40_000;
const secondsMax = 4;

const list = (of: (at: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, at) => of(at));

const user: JsonObject = { role: "user", content: "go" };
const asked: JsonObject = { role: "user", parts: [{ text: "go" }] };

const requests: readonly { name: string; from: FormatName; body: () => JsonObject }[] = [
  {
    name: "system messages in a row",
    from: "chat-completions",
    body: () => ({
      model: "m",
      messages: [user, ...list(() => ({ role: "system", content: "x" }))],
    }),
  },
  {
    name: "system messages between the user's",
    from: "messages",
    body: () => ({
      model: "claude-opus-4-8",
      max_tokens: 9,
      messages: [user, ...list((at) => ({ role: at % 2 ? "system" : "user", content: "x" })), user],
    }),
  },
  {
    name: "MCP servers",
    from: "messages",
    body: () => ({
      model: "m",
      max_tokens: 9,
      messages: [user],
      mcp_servers: list((at) => ({ type: "url", name: `s${at}`, url: `https://s.example/${at}` })),
      tools: [
        { name: "own", input_schema: { type: "object" } },
        ...list((at) => ({ type: "mcp_toolset", mcp_server_name: `s${at}` })),
      ],
    }),
  },
  {
    name: "tools that are all allowed by name",
    from: "generate-content",
    body: () => ({
      contents: [asked],
      tools: [{ functionDeclarations: list((at) => ({ name: `t${at}` })) }],
      toolConfig: {
        functionCallingConfig: {
          mode: "ANY",
          allowedFunctionNames: list((at) => ({ at })).map(({ at }) => `t${at}`),
        },
      },
    }),
  },
  {
    name: "results in reverse, without ids",
    from: "generate-content",
    body: () => ({
      contents: [
        asked,
        { role: "model", parts: list((at) => ({ functionCall: { name: `t${at}`, args: {} } })) },
        {
          role: "user",
          parts: list((at) => ({
            functionResponse: { name: `t${count - 1 - at}`, response: { output: "said" } },
          })),
        },
      ],
    }),
  },
];

for (const { name, from, body } of requests) {
  Deno.test(`requests of ${from} with ${count} pieces take no time of their own: ${name}`, () => {
    const wire = wireOf[from](body(), "m");
    const read = seconds(() => codecs[from].decodeRequest(wire));
    assert(read < secondsMax, `read in ${read} s`);
    const request = codecs[from].decodeRequest(wire);
    for (const to of formatNames.filter((to) => to !== from)) {
      const sent = seconds(() =>
        encodeAtOnce(codecs[to], {
          ...repairTurns(request, to).request,
          model: modelOf(to),
        })
      );
      assert(sent < secondsMax, `sent to ${to} in ${sent} s`);
    }
  });
}

/** A model that accepts system messages between turns. */
function modelOf(format: FormatName): string {
  return format === "messages" ? "claude-opus-4-8" : "m";
}

function seconds(run: () => unknown): number {
  const began = threadCpuTimeMs();
  run();
  return (threadCpuTimeMs() - began) / 1000;
}
