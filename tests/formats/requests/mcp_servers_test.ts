import { assertEquals, assertThrows } from "@std/assert";
import { type FormatName, GatewayError, type JsonObject } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { keptWords } from "../../../lib/upstreams/upstream_words.ts";

/** MCP servers of the messages format, converted to other formats (2026-08 to 2026-11). */

function wireOf(more: JsonObject) {
  return {
    path: "/v1/messages",
    search: {},
    headers: {},
    body: {
      model: "claude-opus-5",
      max_tokens: 1024,
      messages: [{ role: "user", content: "Hello" }],
      ...more,
    },
  };
}

function encode(more: JsonObject, to: FormatName) {
  const request = codecs.messages.decodeRequest(wireOf(more));
  return encodeAtOnce(codecs[to], { ...request, model: "m" });
}

const wiki = {
  type: "url",
  name: "wiki",
  url: "https://wiki.example/mcp",
  authorization_token: "tok-1",
};
const asMcp = {
  type: "mcp",
  server_label: "wiki",
  server_url: "https://wiki.example/mcp",
  authorization: "tok-1",
  require_approval: "never",
};
const toolset = { type: "mcp_toolset", mcp_server_name: "wiki" };
const ls = { name: "ls", input_schema: { type: "object", properties: {} } };
const off = { enabled: false };

const servers: readonly {
  readonly name: string;
  readonly body: JsonObject;
  readonly tools: readonly JsonObject[];
}[] = [
  { name: "alone", body: { mcp_servers: [wiki] }, tools: [asMcp] },
  { name: "with its toolset", body: { mcp_servers: [wiki], tools: [toolset] }, tools: [asMcp] },
  {
    name: "with allowed tools",
    body: { mcp_servers: [{ ...wiki, tool_configuration: { allowed_tools: ["find"] } }] },
    tools: [{ ...asMcp, allowed_tools: ["find"] }],
  },
  {
    name: "with tools that are switched on one by one",
    body: {
      mcp_servers: [wiki],
      tools: [{ ...toolset, default_config: off, configs: { find: { enabled: true }, edit: {} } }],
    },
    tools: [{ ...asMcp, allowed_tools: ["find"] }],
  },
  {
    name: "with a pinned list and a tool that is switched off",
    body: {
      mcp_servers: [wiki],
      tools: [{ ...toolset, tools: [{ name: "find" }, { name: "edit" }], configs: { edit: off } }],
    },
    tools: [{ ...asMcp, allowed_tools: ["find"] }],
  },
];

for (const { name, body, tools } of servers) {
  Deno.test(`an MCP server ${name} is an mcp tool of the responses format`, () => {
    const { wire, notes } = encode(body, "responses");
    assertEquals([wire.body.tools, notes], [tools, []]);
  });

  Deno.test(`an MCP server ${name} goes back to its own format as it came`, () => {
    const { wire, notes } = encode(body, "messages");
    assertEquals([wire.body.mcp_servers, wire.body.tools, notes], [
      body.mcp_servers,
      body.tools,
      [],
    ]);
  });

  for (const to of ["chat-completions", "generate-content"] as const) {
    Deno.test(`an MCP server ${name} is refused by ${to} where it is the only tool, else noted`, () => {
      const error = assertThrows(() => encode(body, to), GatewayError);
      assertEquals([error.code, error.param], ["unsupported_parameter", "tools"]);
      const { wire, notes } = encode({ ...body, tools: [ls, ...(body.tools as [] ?? [])] }, to);
      assertEquals(notes.map(({ path, action }) => `${path} ${action}`), ["tools[1] dropped"]);
      assertEquals(JSON.stringify(wire.body).includes("tok-1"), false);
    });
  }
}

Deno.test("an MCP server that is switched off is no tool", () => {
  const server = { ...wiki, tool_configuration: { enabled: false } };
  assertEquals(encode({ mcp_servers: [server] }, "chat-completions").wire.body.tools, undefined);
});

Deno.test("an MCP server with a tool switched off, and with no list of the others, is left out with a note", () => {
  const body = { mcp_servers: [wiki], tools: [ls, { ...toolset, configs: { edit: off } }] };
  const { wire, notes } = encode(body, "responses");
  assertEquals((wire.body.tools as unknown[]).length, 1);
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`), ["tools[1] dropped"]);
});

Deno.test("the log keeps no token of an MCP server, however short", () => {
  const body = { mcp_servers: [wiki], tools: [{ ...asMcp, headers: { "x-key": "hunter2" } }] };
  const message = "Server wiki refused tok-1 and hunter2";
  const error = new GatewayError("invalid_request", message, { said: { message } });
  assertEquals(
    keptWords(error, { body, credentials: [] }).errorMessage,
    "Server wiki refused … and …",
  );
});
