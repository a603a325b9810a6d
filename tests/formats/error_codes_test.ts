import { assertEquals } from "@std/assert";
import type { ErrorCode, FormatName, JsonObject } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";

/**
 * Errors that vendors have added since the summer of 2026: each is recognised by its code, whatever
 * the status.
 */

interface Case {
  readonly format: FormatName;
  readonly status: number;
  readonly error: JsonObject;
  readonly code: ErrorCode;
  readonly retryable: boolean;
}

function ofMessages(
  status: number,
  type: string,
  errorCode: string,
): Pick<Case, "status" | "error"> {
  return { status, error: { type, message: "words", details: { error_code: errorCode } } };
}

function ofResponses(status: number, code: string): Pick<Case, "status" | "error"> {
  return { status, error: { type: "invalid_request_error", code, message: "words", param: null } };
}

const credential = { code: "upstream_unauthorized", retryable: true } as const;
const refused = { code: "invalid_request", retryable: false } as const;
const blocked = { code: "content_blocked", retryable: false } as const;
const messages = { format: "messages" } as const;
const responses = { format: "responses" } as const;

const cases: readonly Case[] = [
  {
    ...messages,
    ...ofMessages(429, "rate_limit_error", "contract_spend_limit_reached"),
    ...credential,
  },
  {
    ...messages,
    ...ofMessages(429, "rate_limit_error", "enforced_spend_limit_reached"),
    ...credential,
  },
  {
    ...messages,
    ...ofMessages(429, "rate_limit_error", "ramp_limit_exceeded"),
    code: "rate_limit_exceeded",
    retryable: true,
  },
  {
    ...messages,
    ...ofMessages(402, "billing_error", "linked_organization_billing_unavailable"),
    ...credential,
  },
  {
    ...messages,
    ...ofMessages(402, "billing_error", "linked_organization_spend_limit_reached"),
    ...credential,
  },
  {
    ...messages,
    ...ofMessages(400, "invalid_request_error", "organization_on_hold"),
    ...credential,
  },
  {
    ...messages,
    ...ofMessages(403, "permission_error", "user_profile_billing_not_authorized"),
    ...refused,
  },
  { ...messages, ...ofMessages(403, "permission_error", "user_profile_not_billable"), ...refused },
  {
    ...messages,
    ...ofMessages(413, "request_too_large", "request_body_too_large_after_decoding"),
    code: "body_too_large",
    retryable: false,
  },
  {
    ...messages,
    ...ofMessages(409, "conflict_error", "conflict_error"),
    code: "upstream_error",
    retryable: true,
  },
  {
    ...messages,
    ...ofMessages(504, "timeout_error", "timeout_error"),
    code: "upstream_timeout",
    retryable: true,
  },
  {
    ...messages,
    ...ofMessages(404, "not_found_error", "thread_not_found"),
    code: "conversation_not_found",
    retryable: false,
  },
  {
    ...messages,
    ...ofMessages(400, "invalid_request_error", "thread_fingerprint_mismatch"),
    ...refused,
  },
  {
    ...messages,
    ...ofMessages(400, "invalid_request_error", "image_dimensions_too_large"),
    ...refused,
  },
  { ...responses, ...ofResponses(400, "misalignment_policy_violation"), ...blocked },
  { ...responses, ...ofResponses(403, "misalignment_policy_violation"), ...blocked },
  { ...responses, ...ofResponses(400, "bio_policy"), ...blocked },
  { ...responses, ...ofResponses(400, "image_content_policy_violation"), ...blocked },
  { ...responses, ...ofResponses(403, "data_residency_mismatch"), ...refused },
];

for (const { format, status, error, code, retryable } of cases) {
  const name = String(error.code ?? (error.details as JsonObject).error_code);
  Deno.test(`${format} ${status} ${name} is ${code}`, () => {
    const decoded = codecs[format].decodeError({ status, headers: {}, body: { error } });
    assertEquals([decoded.code, decoded.retryable], [code, retryable]);
    assertEquals(decoded.said?.code, name);
  });
}

const inStreams = [
  ["misalignment_policy_violation", "content_blocked"],
  ["bio_policy", "content_blocked"],
  ["data_residency_mismatch", "invalid_request"],
  ["image_too_small", "invalid_request"],
  ["image_file_not_found", "invalid_request"],
  ["a_code_of_tomorrow", "upstream_error"],
] as const;

for (const [code, expected] of inStreams) {
  Deno.test(`responses: a response that failed with ${code} is ${expected}`, () => {
    const failed = { id: "resp_1", status: "failed", error: { code, message: "words" } };
    const [, event] = codecs.responses.eventDecoder().push({
      event: "response.failed",
      data: JSON.stringify({ type: "response.failed", response: failed }),
    });
    assertEquals(event?.type === "error" && event.error.code, expected);
  });
}

Deno.test("messages: only a caller of the format gets the details of an error in the request", () => {
  const details = {
    error_code: "image_dimensions_too_large",
    max_side_length_pixels: 8000,
    paths: ["messages.0.content.1"],
  };
  const error = codecs.messages.decodeError({
    status: 400,
    headers: {},
    body: { error: { type: "invalid_request_error", message: "Too large", details } },
  });
  const errorOf = (format: FormatName) =>
    (codecs[format].encodeError(error, "req_1").body as { error: JsonObject }).error;
  assertEquals(errorOf("messages").details, details);
  for (const format of ["chat-completions", "responses", "generate-content"] as const) {
    assertEquals([codecs[format].encodeError(error, "req_1").status, errorOf(format).message], [
      400,
      "Too large",
    ]);
    assertEquals(JSON.stringify(errorOf(format)).includes("max_side_length_pixels"), false);
  }
});

Deno.test("messages: no detail of an error about the gateway's own account reaches a caller", () => {
  const error = codecs.messages.decodeError({
    status: 429,
    headers: {},
    body: {
      error: {
        type: "rate_limit_error",
        message: "Acme Corp has used up its contract",
        details: { error_code: "contract_spend_limit_reached" },
      },
    },
  });
  const { status, body } = codecs.messages.encodeError(error, "req_1");
  assertEquals(status, 502);
  assertEquals(/Acme|contract/.test(JSON.stringify(body)), false);
});

Deno.test("responses: a prompt that another vendor blocked is no failure that agents retry", () => {
  const blockedError = codecs.responses.decodeError({
    status: 400,
    headers: {},
    body: { error: { code: "bio_policy", message: "words" } },
  });
  const [, failed] = codecs.responses.encodeStreamError(blockedError, "req_1");
  assertEquals(JSON.parse(failed.data).response.error.code, "invalid_prompt");
});
