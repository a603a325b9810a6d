import { assertEquals } from "@std/assert";
import { formatNames, GatewayError, type GatewayErrorOptions } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";

/** Errors by which clients of each format wait, or leave something out. */

const waits: readonly (readonly [number | undefined, Record<string, string>])[] = [
  [undefined, {}],
  [0.2, { "retry-after": "1" }],
  [60, { "retry-after": "60" }],
  [61, { "x-should-retry": "false" }],
  [18_000, { "x-should-retry": "false" }],
];

for (const [seconds, headers] of waits) {
  for (const name of formatNames) {
    Deno.test(`${name}: a client waits for at most a minute, so not for ${seconds} s`, () => {
      for (const code of ["rate_limit_exceeded", "no_upstream"] as const) {
        const options = seconds === undefined ? {} : { retryAfterSeconds: seconds };
        const error = new GatewayError(code, "Slow down", options);
        assertEquals(codecs[name].encodeError(error, "req_1").headers, headers);
      }
    });
  }
}

for (const name of formatNames) {
  Deno.test(`${name}: not even a spent budget asks for a long wait, through which Codex sleeps`, () => {
    const error = new GatewayError("insufficient_quota", "Spent", { retryAfterSeconds: 18_000 });
    const { status, headers } = codecs[name].encodeError(error, "req_1");
    assertEquals([status, headers], [402, { "x-should-retry": "false" }]);
  });
}

const agent = new Headers({ "x-claude-code-session-id": "s1" });
const unsupported = "unsupported_parameter";
type Refusal = readonly [GatewayError["code"], string, GatewayErrorOptions?];
const repairs: Readonly<Record<string, readonly Refusal[]>> = {
  thinking_signature: [
    ["invalid_request", "Invalid", { said: { message: "Thought signature is not valid" } }],
    ["invalid_request", "Invalid", { said: { code: "invalid_encrypted_content" } }],
    ["invalid_request", "messages.1.content.0: Invalid `signature` in `thinking` block"],
  ],
  image_block: [
    [
      unsupported,
      "Cannot encode request: turns[0].parts[1] is an image that only its vendor can read",
    ],
    [
      unsupported,
      "Cannot encode request: turns[0].parts[1] is an image of type image/bmp, which the messages format does not accept",
    ],
    ["invalid_request", "No", { said: { message: "This model does not support image input" } }],
    ["invalid_request", "No", { said: { message: "image_url is not supported by this model" } }],
  ],
  document_block: [
    [
      unsupported,
      "Cannot encode request: turns[0].parts[1] is a file by URL. Send its content as base64 instead",
    ],
    [
      unsupported,
      "Cannot encode request: turns[0].parts[1] is a file of type text/rtf, which the messages format does not accept",
    ],
    ["invalid_request", "No", { said: { message: "Unsupported file content" } }],
  ],
  effort_unsupported: [
    [unsupported, "Unsupported value", { param: "reasoning_effort" }],
    [unsupported, "Unsupported value", { param: "reasoning.effort" }],
  ],
  structured_outputs_unsupported: [
    ["invalid_request", "This response_format type is unavailable now", {
      param: "response_format",
    }],
    [unsupported, "No", { param: "text.format" }],
  ],
};

for (const [name, refusals] of Object.entries(repairs)) {
  for (const [code, message, options] of refusals) {
    Deno.test(`messages repairMessage: ${name}, for "${options?.said?.message ?? message}"`, () => {
      const error = new GatewayError(code, message, options);
      const { repairMessage } = codecs.messages;
      assertEquals(repairMessage?.(error, agent), `capability_rejected: ${name}`);
      assertEquals(
        repairMessage?.(error, new Headers({ "user-agent": "claude-cli/2" })),
        undefined,
      );
    });
  }
}

const kept: readonly Refusal[] = [
  ["invalid_request", "messages[3].content: expected a text or a list"],
  ["invalid_request", "tools[0].description: the file name is too long"],
  ["invalid_request", "The image is larger than 5 MB", { param: "messages[0]" }],
  ["content_blocked", "The content filter blocked the prompt"],
  ["context_length_exceeded", "maximum context length is 10 tokens, images included"],
  ["upstream_error", "This model does not support image input"],
  ["insufficient_quota", "Cannot start the call: images are not supported"],
];
for (const [code, message, options] of kept) {
  Deno.test(`messages repairMessage: none for ${code} "${message}"`, () => {
    const error = new GatewayError(code, message, options);
    assertEquals(codecs.messages.repairMessage?.(error, agent), undefined);
  });
}
