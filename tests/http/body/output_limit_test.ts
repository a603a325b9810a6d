import { assertEquals, assertStrictEquals } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { decodedOf, withOutputLimit } from "../../../lib/http/decode.ts";
import { presets } from "../../../lib/upstreams/presets/table.ts";

const tokens = 321;
const paths: Readonly<Record<FormatName, string>> = {
  "chat-completions": "/chat/completions",
  responses: "/responses",
  messages: "/v1/messages",
  "generate-content": "/models/m:generateContent",
};

/** Texts of clients' requests, and the result of setting a limit of 321. */
const cases: readonly { name: string; format: FormatName; text: string; limited: string }[] = [
  {
    name: "the newer name",
    format: "chat-completions",
    text: '{"model":"m", "max_completion_tokens" : 9e4,"messages":[ ],"x":1.0}',
    limited: '{"model":"m", "max_completion_tokens" : 321,"messages":[ ],"x":1.0}',
  },
  {
    name: "the older name",
    format: "chat-completions",
    text: '{"max_tokens":90000,"model":"m","messages":[{"content":"\\"max_tokens\\":90000"}]}',
    limited: '{"max_tokens":321,"model":"m","messages":[{"content":"\\"max_tokens\\":90000"}]}',
  },
  {
    name: "both names",
    format: "chat-completions",
    text: '{"max_tokens":90000,"max_completion_tokens":"80000","model":"m","messages":[]}',
    limited: '{"max_tokens":321,"max_completion_tokens":321,"model":"m","messages":[]}',
  },
  {
    name: "no limit",
    format: "chat-completions",
    text: '{ "model":"m","messages":[],"max_tokens":null}',
    limited: '{"max_completion_tokens":321, "model":"m","messages":[],"max_tokens":null}',
  },
  {
    name: "no limit",
    format: "responses",
    text: '{"model":"m","input":"a\\u00e9"}',
    limited: '{"max_output_tokens":321,"model":"m","input":"a\\u00e9"}',
  },
  {
    name: "its limit",
    format: "messages",
    text: '{"model":"m","messages":[],\n "max_tokens": 64000 }',
    limited: '{"model":"m","messages":[],\n "max_tokens": 321 }',
  },
  {
    name: "camel case",
    format: "generate-content",
    text: '{"contents":[],"generationConfig":{"topP":0.10, "maxOutputTokens":65536}}',
    limited: '{"contents":[],"generationConfig":{"topP":0.10, "maxOutputTokens":321}}',
  },
  {
    name: "snake case",
    format: "generate-content",
    text: '{"generation_config":{"max_output_tokens":65536,"top_p":0.10},"contents":[]}',
    limited: '{"generation_config":{"max_output_tokens":321,"top_p":0.10},"contents":[]}',
  },
  {
    name: "both configurations",
    format: "generate-content",
    text:
      '{"generation_config":{"max_output_tokens":5},"generationConfig":{"x":1},"contents":[{"x":"generationConfig"}]}',
    limited:
      '{"generation_config":{"max_output_tokens":321},"generationConfig":{"maxOutputTokens":321,"x":1},"contents":[{"x":"generationConfig"}]}',
  },
  {
    name: "a name that is spelled out, and quoted elsewhere",
    format: "chat-completions",
    text: '{"x":{"max_tokens":7},"messages":["max_tokens"],"model":"m","max\\u005ftokens" : 9 }',
    limited:
      '{"x":{"max_tokens":7},"messages":["max_tokens"],"model":"m","max\\u005ftokens" : 321 }',
  },
  {
    name: "a configuration without a limit",
    format: "generate-content",
    text: '{"contents":[],"generationConfig":{"temperature":1.0}}',
    limited: '{"contents":[],"generationConfig":{"maxOutputTokens":321,"temperature":1.0}}',
  },
  {
    name: "no configuration",
    format: "generate-content",
    text: '{"contents":[]}',
    limited: '{"generationConfig":{"maxOutputTokens":321},"contents":[]}',
  },
];

for (const { name, format, text, limited } of cases) {
  Deno.test(`withOutputLimit: ${format}, ${name}: one number changes`, () => {
    const codec = codecs[format];
    const wire = { path: paths[format], search: {}, headers: {}, body: JSON.parse(text) };
    const changed = withOutputLimit(decodedOf(codec, wire, { text, body: wire.body }), codec, {
      tokens,
    });
    assertEquals(changed.read.text, limited);
    assertEquals(changed.wire.body, JSON.parse(limited));
    assertEquals(changed.envelope.maxOutputTokens, tokens);
  });
}

Deno.test("withOutputLimit: a long body is not read again", () => {
  for (const stated of ["", '"max_tokens":9,']) {
    const text = `{${stated}"model":"m","messages":[{"role":"user","content":"hi"}]}`;
    const codec = codecs["chat-completions"];
    const wire = { path: paths[codec.name], search: {}, headers: {}, body: JSON.parse(text) };
    const { wire: { body } } = withOutputLimit(
      decodedOf(codec, wire, { text, body: wire.body }),
      codec,
      { tokens },
    );
    assertStrictEquals(body.messages, wire.body.messages);
  }
});

Deno.test("withOutputLimit: chat-completions without a limit takes the name that the upstream knows", () => {
  const text = '{"model":"m","messages":[]}';
  const codec = codecs["chat-completions"];
  const wire = { path: paths[codec.name], search: {}, headers: {}, body: JSON.parse(text) };
  const dialect = presets.mistral.dialects["chat-completions"];
  const changed = withOutputLimit(decodedOf(codec, wire, { text, body: wire.body }), codec, {
    tokens,
    dialect,
  });
  assertEquals(changed.read.text, '{"max_tokens":321,"model":"m","messages":[]}');
});
