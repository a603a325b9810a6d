import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { codecs } from "../../lib/formats/mod.ts";
import { endpointFinder } from "../../lib/http/endpoints.ts";

const find = endpointFinder(
  Object.values(codecs).flatMap((codec) =>
    codec.endpoints.map((endpoint) => ({ codec, endpoint }))
  ),
);

const hits = [
  ["POST", "/v1/chat/completions", "chat-completions", "generate", undefined, "/chat/completions"],
  ["POST", "/v1/chat/completions/", "chat-completions", "generate", undefined, "/chat/completions"],
  ["POST", "/v1/responses", "responses", "generate", undefined, "/responses"],
  [
    "POST",
    "/v1/responses/input_tokens",
    "responses",
    "count-tokens",
    undefined,
    "/responses/input_tokens",
  ],
  ["GET", "/v1/responses/resp_1", "responses", "get-response", "resp_1", "/responses/resp_1"],
  ["DELETE", "/v1/responses/resp_1", "responses", "delete-response", "resp_1", "/responses/resp_1"],
  [
    "GET",
    "/v1/responses/resp_1/input_items",
    "responses",
    "list-input-items",
    "resp_1",
    "/responses/resp_1/input_items",
  ],
  [
    "POST",
    "/v1/responses/resp_1/cancel",
    "responses",
    "cancel-response",
    "resp_1",
    "/responses/resp_1/cancel",
  ],
  ["POST", "/v1/conversations", "responses", "create-conversation", undefined, "/conversations"],
  [
    "GET",
    "/v1/conversations/conv_1/items",
    "responses",
    "list-conversation-items",
    "conv_1",
    "/conversations/conv_1/items",
  ],
  [
    "DELETE",
    "/v1/conversations/conv_1/items/msg_1",
    "responses",
    "delete-conversation-item",
    "conv_1",
    "/conversations/conv_1/items/msg_1",
  ],
  ["POST", "/v1/messages", "messages", "generate", undefined, "/v1/messages"],
  [
    "POST",
    "/v1/messages/count_tokens",
    "messages",
    "count-tokens",
    undefined,
    "/v1/messages/count_tokens",
  ],
  [
    "POST",
    "/v1beta/models/gemini-x:generateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:generateContent",
  ],
  [
    "POST",
    "/v1/models/gemini-x:streamGenerateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:streamGenerateContent",
  ],
  [
    "POST",
    "/v1beta/models/acme/large:free:generateContent",
    "generate-content",
    "generate",
    "acme/large:free",
    "/models/acme/large:free:generateContent",
  ],
  [
    "POST",
    "/v1beta/models/acme%2Flarge%3Afree:countTokens",
    "generate-content",
    "count-tokens",
    "acme/large:free",
    "/models/acme%2Flarge%3Afree:countTokens",
  ],
  [
    "POST",
    "/v1alpha/models/gemini-x:generateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:generateContent",
  ],
  [
    "POST",
    "/v1alpha/models/gemini-x:streamGenerateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:streamGenerateContent",
  ],
  [
    "POST",
    "/v1alpha/models/gemini-x:countTokens",
    "generate-content",
    "count-tokens",
    "gemini-x",
    "/models/gemini-x:countTokens",
  ],
  [
    "POST",
    "/models/gemini-x:generateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:generateContent",
  ],
  [
    "POST",
    "/models/gemini-x:streamGenerateContent",
    "generate-content",
    "generate",
    "gemini-x",
    "/models/gemini-x:streamGenerateContent",
  ],
  [
    "POST",
    "/models/gemini-x:countTokens",
    "generate-content",
    "count-tokens",
    "gemini-x",
    "/models/gemini-x:countTokens",
  ],
  [
    "POST",
    "/v1alpha/acme/large:generateContent",
    "generate-content",
    "generate",
    "acme/large",
    "/models/acme/large:generateContent",
  ],
  ["GET", "/v1alpha/models", "generate-content", "list-models", undefined, "/models"],
  [
    "POST",
    "/v1beta/models/m@1.5:generateContent",
    "generate-content",
    "generate",
    "m@1.5",
    "/models/m@1.5:generateContent",
  ],
  [
    "POST",
    "/v1beta/models/m%3AgenerateContent",
    "generate-content",
    "generate",
    "m",
    "/models/m:generateContent",
  ],
  ...(["/v1beta", "/v1"] as const).flatMap((version) =>
    ([
      ["generateContent", "generate"],
      ["streamGenerateContent", "generate"],
      ["countTokens", "count-tokens"],
    ] as const).map(([verb, operation]) =>
      [
        "POST",
        `${version}/acme/large:${verb}`,
        "generate-content",
        operation,
        "acme/large",
        `/models/acme/large:${verb}`,
      ] as const
    )
  ),
  [
    "POST",
    "/v1beta/acme%2Flarge:generateContent",
    "generate-content",
    "generate",
    "acme/large",
    "/models/acme%2Flarge:generateContent",
  ],
  ["GET", "/v1beta/models", "generate-content", "list-models", undefined, "/models"],
  [
    "GET",
    "/v1beta/models/acme/large",
    "generate-content",
    "get-model",
    "acme/large",
    "/models/acme/large",
  ],
] as const;

for (const [method, path, format, operation, parameter, wirePath] of hits) {
  Deno.test(`endpointFinder finds ${method} ${path}`, () => {
    const found = find(method, path);
    assert(!("error" in found));
    assertEquals([found.codec.name, found.endpoint.operation, found.parameter, found.wirePath], [
      format,
      operation,
      parameter,
      wirePath,
    ]);
  });
}

const misses = [
  [
    "POST",
    "/v1/v1/chat/completions",
    "duplicated_path_segment",
    "chat-completions",
    "{base_url}/v1",
  ],
  [
    "POST",
    "/v1/chat/completions/chat/completions",
    "duplicated_path_segment",
    "chat-completions",
    "{base_url}/v1",
  ],
  ["POST", "/v1/v1/messages", "duplicated_path_segment", "messages", "to {base_url},"],
  [
    "POST",
    "/v1beta/v1beta/models/m:generateContent",
    "duplicated_path_segment",
    "generate-content",
    "{base_url}/v1beta",
  ],
  [
    "POST",
    "/v1/v1beta/models/m:generateContent",
    "duplicated_path_segment",
    "generate-content",
    "{base_url}/v1beta",
  ],
  ["GET", "/v1/v1/models", "duplicated_path_segment", undefined, "{base_url}/v1"],
  ["POST", "/v1/responses/responses", "duplicated_path_segment", "responses", "{base_url}/v1"],
  ["POST", "/v1/chat/completion", "unknown_endpoint", "chat-completions", "/v1/chat/completions"],
  ["POST", "/chat/completions", "unknown_endpoint", "chat-completions", "/v1/chat/completions"],
  ["POST", "/messages", "unknown_endpoint", "messages", "/v1/messages"],
  ["POST", "/v1/response", "unknown_endpoint", "responses", "/v1/responses"],
  [
    "POST",
    "/v1beta/large:generateContent",
    "unknown_endpoint",
    "generate-content",
    "/v1beta/models/{model}:generateContent",
  ],
  ["GET", "/v1beta/acme/large:generateContent", "method_not_allowed", "generate-content", "POST"],
  [
    "POST",
    "/v1beta/v1/acme/large:generateContent",
    "duplicated_path_segment",
    "generate-content",
    "{base_url} (or",
  ],
  ["GET", "/v1/chat/completions", "method_not_allowed", "chat-completions", "POST"],
  ["PUT", "/v1/messages", "method_not_allowed", "messages", "POST"],
] as const;

for (const [method, path, code, format, says] of misses) {
  Deno.test(`endpointFinder refuses ${method} ${path} with ${code}`, () => {
    const found = find(method, path);
    assert("error" in found);
    assertEquals(found.error.code, code);
    if (format) assertEquals(found.codec?.name, format);
    assertStringIncludes(found.error.message, says);
  });
}

Deno.test("endpointFinder names the base URL to configure by the gateway's own address", () => {
  const found = find("POST", "/v1/v1/messages", () => "https://gateway.test");
  assert("error" in found);
  assertStringIncludes(found.error.message, "base URL to https://gateway.test, without");
});

Deno.test("endpointFinder is bounded on a hostile path", () => {
  const found = find("POST", `/v1/${"a/".repeat(100_000)}`);
  assert("error" in found);
  assertEquals(found.error.code, "unknown_endpoint");
});

Deno.test("endpointFinder reads an id and the item behind it, and takes neither with a slash", () => {
  const found = find("GET", "/v1/conversations/conv%201/items/msg_1");
  assert(!("error" in found));
  assertEquals([found.parameter, found.item], ["conv 1", "msg_1"]);
  for (const path of ["a/b/items/c", "a/items/b/c", "a/items/b/items/c", "/items/c"]) {
    const missed = find("GET", `/v1/conversations/${path}`);
    assert("error" in missed, path);
  }
});
