import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type FormatName,
  formatNames,
  GatewayError,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { convertedAnswer } from "../shapes/conversion.ts";
import { converted, longBodies, told } from "./long_request.ts";
import { upstreamModels } from "./upstream_models.ts";

/**
 * Members of tomorrow beside members that have a canonical field: the own format sends them, and
 * every other one notes or refuses them.
 */

const of_tomorrow = "news";
const grammar = { syntax: "lark", definition: "start: /a/" };

const cases: readonly {
  readonly from: FormatName;
  readonly body: JsonObject;
  readonly noted?: string;
}[] = [
  {
    from: "chat-completions",
    body: { response_format: { type: "text", of_tomorrow } },
    noted: "native.response_format",
  },
  {
    from: "chat-completions",
    body: { usage: { include: true, of_tomorrow } },
    noted: "native.usage",
  },
  {
    from: "chat-completions",
    body: { tool_choice: { type: "function", function: { name: "shell" }, of_tomorrow } },
  },
  {
    from: "chat-completions",
    body: {
      tools: [{
        type: "custom",
        custom: { name: "shell", format: { type: "grammar", grammar, of_tomorrow } },
      }],
    },
    noted: ".custom dropped",
  },
  {
    from: "responses",
    body: { text: { format: { type: "json_object", of_tomorrow } } },
    noted: "native.text",
  },
  {
    from: "responses",
    body: {
      tools: [{
        type: "custom",
        name: "shell",
        format: { type: "grammar", ...grammar, of_tomorrow },
      }],
    },
    noted: ".format dropped",
  },
  {
    from: "responses",
    body: {
      text: { format: { type: "json_schema", name: "n", schema: { type: "object" }, of_tomorrow } },
    },
    noted: "output.native.of_tomorrow",
  },
  {
    from: "messages",
    body: { tool_choice: { type: "any", of_tomorrow } },
    noted: "native.tool_choice",
  },
  {
    from: "generate-content",
    body: { systemInstruction: { parts: [{ text: "Be brief." }], of_tomorrow } },
    noted: "native.systemInstruction",
  },
];

for (const { from, body, noted } of cases) {
  const whole = { ...longBodies[from], ...body };
  const text = JSON.stringify(body);
  Deno.test(`${text} in ${from} keeps its unknown member`, () => {
    const wire = { path: "/models/m:generateContent", search: {}, headers: {}, body: whole };
    const { wire: sent } = encodeAtOnce(codecs[from], codecs[from].decodeRequest(wire));
    assert(JSON.stringify(sent.body).includes('"of_tomorrow":"news"'));
  });
  for (const to of formatNames.filter((name) => name !== from)) {
    Deno.test(`${text} in ${from} loses nothing silently in ${to}`, () => {
      const convert = () => converted(whole, { from, to, model: upstreamModels[to] });
      if (noted === undefined) {
        const { code } = assertThrows(convert, GatewayError);
        assertEquals(code, "unsupported_parameter");
        return;
      }
      assert(
        told(convert().notes).some((note) => note.includes(noted)),
        told(convert().notes).join(),
      );
    });
  }
}

Deno.test("a choice of another format is noted in generate-content if no function is declared", () => {
  const body = {
    ...longBodies["chat-completions"],
    tools: [],
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [{ name: "a" }] } },
  };
  const { notes } = converted(body, {
    from: "chat-completions",
    to: "generate-content",
    model: upstreamModels["generate-content"],
  });
  assert(told(notes).some((note) => note.startsWith("toolChoice")));
});

const head = { id: "x", model: "m" };
const answers: readonly { readonly from: FormatName; readonly wire: JsonObject }[] = [
  {
    from: "chat-completions",
    wire: {
      ...head,
      choices: [{
        index: 0,
        message: {
          role: "assistant",
          function_call: { name: "shell", arguments: "{}", of_tomorrow },
        },
        finish_reason: "function_call",
      }],
    },
  },
  {
    from: "messages",
    wire: {
      ...head,
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      context_management: { applied_edits: [], of_tomorrow },
    },
  },
];

for (const { from, wire } of answers) {
  for (const to of formatNames.filter((name) => name !== from)) {
    Deno.test(`an unknown member in an answer of ${from} is noted in ${to}`, () => {
      const { notes } = convertedAnswer({ from, wire }, to);
      assert(
        notes.some((note) => /function_call|of_tomorrow|context_management/.test(note)),
        notes.join(),
      );
    });
  }
}
