import { assert, assertEquals, assertMatch } from "@std/assert";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import { startGateway, testKey } from "./gateway.ts";

/**
 * Bad input to each endpoint is a typed 4xx in that format's shape; nothing crashes and nothing
 * secret is logged.
 */
const formats = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: (model: unknown) => ({ model, messages: [{ role: "user", content: "hi" }] }),
    list: "messages",
  },
  responses: {
    path: "/v1/responses",
    body: (model: unknown) => ({ model, input: "hi" }),
    list: "input",
  },
  messages: {
    path: "/v1/messages",
    body: (model: unknown) => ({
      model,
      max_tokens: 10,
      messages: [{ role: "user", content: "hi" }],
    }),
    list: "messages",
  },
  "generate-content": {
    path: "/v1beta/models/tessera-echo:generateContent",
    body: () => ({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }),
    list: "contents",
  },
} as const;
type Format = keyof typeof formats;

const key = { authorization: `Bearer ${testKey}` };
const json = { ...key, "content-type": "application/json" };
const secretPrompt = "PROMPT-THAT-NO-LOG-MAY-HOLD";

interface Case {
  readonly name: string;
  readonly request: (
    format: Format,
  ) => { body?: BodyInit; headers?: Record<string, string>; path?: string };
  readonly status: number;
  readonly code: string;
  /** Formats that cannot express the case. */
  readonly not?: readonly Format[];
}

const cases: readonly Case[] = [
  {
    name: "malformed JSON",
    request: () => ({ body: `{"model": "tessera-echo", ${secretPrompt}` }),
    status: 400,
    code: "invalid_json",
  },
  { name: "an empty body", request: () => ({ body: "" }), status: 400, code: "invalid_json" },
  { name: "an array", request: () => ({ body: "[]" }), status: 400, code: "invalid_request" },
  { name: "null", request: () => ({ body: "null" }), status: 400, code: "invalid_request" },
  {
    name: "invalid UTF-8",
    request: () => ({ body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }),
    status: 400,
    code: "invalid_json",
  },
  {
    name: "a model of a wrong type",
    request: (format) => ({ body: JSON.stringify(formats[format].body(5)) }),
    status: 400,
    code: "invalid_request",
    not: ["generate-content"],
  },
  {
    name: "no model",
    request: (format) => ({ body: JSON.stringify(formats[format].body(undefined)) }),
    status: 400,
    code: "invalid_request",
    not: ["generate-content"],
  },
  {
    name: "turns of a wrong type",
    request: (format) => ({
      body: JSON.stringify({ ...formats[format].body("tessera-echo"), [formats[format].list]: 7 }),
    }),
    status: 400,
    code: "invalid_request",
  },
  {
    name: "a turn of a wrong type",
    request: (format) => ({
      body: JSON.stringify({
        ...formats[format].body("tessera-echo"),
        [formats[format].list]: [7],
      }),
    }),
    status: 400,
    code: "invalid_request",
  },
  {
    name: "a model that does not exist",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("no-such-model")),
      path: formats[format].path.replace("tessera-echo", "no-such-model"),
    }),
    status: 404,
    code: "model_not_found",
  },
  {
    name: "a model that climbs",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("../../admin")),
      path: formats[format].path.replace("tessera-echo", "..%2F..%2Fadmin"),
    }),
    status: 400,
    code: "invalid_request",
  },
  {
    name: "JSON nested a million deep",
    request: (format) => {
      const deep = `${"[".repeat(1e6)}${"]".repeat(1e6)}`;
      return {
        body: JSON.stringify(formats[format].body("tessera-echo")).replace(
          /}$/,
          `,"metadata":${deep}}`,
        ),
      };
    },
    status: 413,
    code: "body_too_complex",
  },
  {
    name: "a body of 50 MB",
    request: () => ({ body: `{"x":"${"a".repeat(50e6)}"}` }),
    status: 413,
    code: "body_too_large",
  },
  {
    name: "a content type that is not JSON",
    request: () => ({ body: "<x/>", headers: { ...key, "content-type": "application/xml" } }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "an unknown content encoding",
    request: () => ({ body: "x", headers: { ...json, "content-encoding": "rot13" } }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "a broken gzip body",
    request: () => ({ body: "not gzip", headers: { ...json, "content-encoding": "gzip" } }),
    status: 400,
    code: "invalid_request",
  },
  {
    name: "no key",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("tessera-echo")),
      headers: { "content-type": "application/json" },
    }),
    status: 401,
    code: "invalid_api_key",
  },
  {
    name: "a wrong key",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("tessera-echo")),
      headers: { ...json, authorization: "Bearer sk-no" },
    }),
    status: 401,
    code: "invalid_api_key",
  },
  {
    name: "a disabled key",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("tessera-echo")),
      headers: { ...json, authorization: "Bearer sk-disabled-0123456789" },
    }),
    status: 401,
    code: "invalid_api_key",
  },
  {
    name: "an expired key",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("tessera-echo")),
      headers: { ...json, authorization: "Bearer sk-expired-0123456789" },
    }),
    status: 401,
    code: "invalid_api_key",
  },
  {
    name: "a model outside the group",
    request: (format) => ({
      body: JSON.stringify(formats[format].body("tessera-echo")),
      headers: { ...json, authorization: "Bearer sk-narrow-0123456789" },
    }),
    status: 403,
    code: "model_not_allowed",
  },
];

const config = {
  groups: [{ id: "default", models: ["*"], formats: ["*"] }, {
    id: "narrow",
    models: ["other-*"],
    formats: ["*"],
  }],
  keys: [
    { name: "test", group: "default", value: testKey },
    { name: "disabled", group: "default", value: "sk-disabled-0123456789", enabled: false },
    {
      name: "expired",
      group: "default",
      value: "sk-expired-0123456789",
      expiresAt: "2020-01-01T00:00:00Z",
    },
    { name: "narrow", group: "narrow", value: "sk-narrow-0123456789" },
  ],
};

Deno.test("bad input", async (test) => {
  await using gateway = await startGateway(config);
  const logged: string[] = [];
  const print = console.error;
  console.error = (...words: unknown[]) => logged.push(words.join(" "));
  try {
    for (const { name, request, status, code, not } of cases) {
      for (const format of Object.keys(formats) as Format[]) { // the table's own keys
        if (not?.includes(format)) continue;
        await test.step(`${format}: ${name} is ${status} ${code}`, async () => {
          const { body, headers = json, path = formats[format].path } = request(format);
          const response = await fetch(gateway.base + path, { method: "POST", headers, body });
          assertEquals(response.status, status);
          assertShape(format, await response.json(), code, response.headers);
        });
      }
    }
    await test.step("no secret and no prompt is logged", async () => {
      const rows = await listRequestLogs(gateway.parts.store, { limit: 200 });
      const all = logged.join("\n") + JSON.stringify(rows);
      for (const secret of [testKey, "sk-disabled", "sk-expired", secretPrompt]) {
        assert(!all.includes(secret));
      }
    });
    await test.step("a request without a content type is read as JSON", async () => {
      const body = new TextEncoder().encode(
        JSON.stringify(formats["chat-completions"].body("tessera-echo")),
      );
      const response = await fetch(`${gateway.base}/v1/chat/completions`, {
        method: "POST",
        headers: key,
        body,
      });
      assertEquals(response.status, 200);
      await response.body?.cancel();
    });
  } finally {
    console.error = print;
  }
});

function assertShape(
  format: Format,
  body: Record<string, unknown>,
  code: string,
  headers: Headers,
): void {
  const error = body.error as Record<string, unknown>; // checked below
  const isNumbered = format === "generate-content" && code !== "invalid_api_key";
  const named = isNumbered ? "reason" : "code";
  for (const field of ["message", "type", named, "request_id"]) {
    assertEquals(typeof error[field], "string", `error.${field} is a string`);
  }
  assertEquals([error[named], typeof error.code], [code, isNumbered ? "number" : "string"]);
  assertMatch(String(error.request_id), /^req_[0-9A-Z]{26}$/);
  assertEquals(headers.get("x-request-id"), error.request_id);
  if (format === "messages") assertEquals(body.type, "error");
  if (format === "generate-content") assertEquals(typeof error.status, "string");
}

Deno.test("a base URL with a segment too many is answered with the one to configure", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/v1/v1/messages`, { method: "POST", headers: json });
  const { error } = await response.json();
  assertEquals(error.code, "duplicated_path_segment");
  assert(error.message.includes(`base URL to ${gateway.base}, without`), error.message);
});

for (const members of [{ model: "gpt\u202e-5" }, { metadata: { "a\u202eb": 1 } }]) {
  Deno.test(`a refusal of ${JSON.stringify(members)} shows the hidden character`, async () => {
    await using gateway = await startGateway();
    const body = { ...formats["chat-completions"].body("tessera-echo"), ...members };
    const answer = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(body),
    });
    const { error } = await answer.json();
    assertEquals(Math.floor(answer.status / 100), 4);
    assertEquals(error.message.includes("\u202e"), false);
    assertMatch(error.message, /\\u202e/);
  });
}
