import { assertEquals } from "@std/assert";
import {
  encodeModel as encodeGenerateContentModel,
  encodeModelList as encodeGenerateContentModelList,
} from "../../../lib/formats/generate_content/model_list.ts";
import { encodeModel, encodeModelList, type ModelCard } from "../../../lib/formats/models.ts";

const large: ModelCard = {
  id: "acme/large:free",
  displayName: "Acme Large",
  createdAtMs: 1_767_225_600_123,
  ownedBy: "acme",
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  capabilities: [],
  formats: ["chat-completions", "responses", "messages", "generate-content"],
};
const small: ModelCard = {
  id: "small",
  displayName: "small",
  createdAtMs: 0,
  ownedBy: "tessera",
  capabilities: [],
  formats: ["messages"],
};

Deno.test("encodeModel holds what the chat-completions and the messages SDK read", () => {
  assertEquals(encodeModel(large), {
    id: "acme/large:free",
    object: "model",
    created: 1_767_225_600,
    owned_by: "acme",
    type: "model",
    display_name: "Acme Large",
    created_at: "2026-01-01T00:00:00.123Z",
    supported_endpoints: [
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/messages",
      "/v1beta/models/{model}:generateContent",
    ],
    max_input_tokens: 200_000,
    max_tokens: 32_000,
  });
  assertEquals(encodeModel(small), {
    id: "small",
    object: "model",
    created: 0,
    owned_by: "tessera",
    type: "model",
    display_name: "small",
    created_at: "1970-01-01T00:00:00.000Z",
    supported_endpoints: ["/v1/messages"],
  });
});

Deno.test("encodeModelList is the only page, in the order given", () => {
  assertEquals(encodeModelList([large, small]), {
    object: "list",
    data: [encodeModel(large), encodeModel(small)],
    has_more: false,
    first_id: "acme/large:free",
    last_id: "small",
  });
  assertEquals(encodeModelList([]), {
    object: "list",
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  });
});

Deno.test("a time out of range does not throw", () => {
  assertEquals(
    encodeModel({ ...small, createdAtMs: 1e300 }).created_at,
    "1970-01-01T00:00:00.000Z",
  );
  assertEquals(encodeModel({ ...small, createdAtMs: NaN }).created, 0);
});

Deno.test("generate-content names models by resource", () => {
  assertEquals(encodeGenerateContentModel(large), {
    name: "models/acme/large:free",
    baseModelId: "acme/large:free",
    version: "1",
    displayName: "Acme Large",
    description: "Acme Large (acme)",
    inputTokenLimit: 200_000,
    outputTokenLimit: 32_000,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  });
  assertEquals(encodeGenerateContentModel(small).supportedGenerationMethods, []);
  assertEquals(encodeGenerateContentModelList([small]), {
    models: [encodeGenerateContentModel(small)],
  });
});
