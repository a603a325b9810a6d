import type { JsonObject } from "../../../../lib/canonical/mod.ts";
import { bytes, pageOf, prose, type Sample, sealed } from "./sample.ts";

const usage = {
  prompt_tokens: 23_017,
  completion_tokens: 5011,
  total_tokens: 28_028,
  prompt_tokens_details: { cached_tokens: 11_003, audio_tokens: 0, cache_write_tokens: 1201 },
  completion_tokens_details: {
    reasoning_tokens: 1301,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

function completion(
  messages: readonly JsonObject[],
  { choice, ...members }: { readonly choice?: JsonObject } & JsonObject = {},
): JsonObject {
  return {
    id: "chatcmpl-lawofanswers",
    object: "chat.completion",
    created: 1_795_342_002,
    model: "gpt-5.6-2026-08-01",
    choices: messages.map((message, index) => ({
      index,
      message: { role: "assistant", content: null, refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason: message.tool_calls ? "tool_calls" : "stop",
      ...choice,
    })),
    usage,
    service_tier: "default",
    system_fingerprint: "fp_lawofanswers",
    ...members,
  };
}

const logprobs = {
  content: Array.from({ length: 60 }, (_, at) => ({
    token: ` piece${at}`,
    bytes: [32, 112, at],
    logprob: -0.0307 - at / 100,
    top_logprobs: [{ token: ` rival${at}`, bytes: [32, 114, at], logprob: -4.0509 - at / 100 }],
  })),
  refusal: null,
};

const calls = [
  ...[1, 2].map((at) => ({
    id: `call_chat${at}`,
    type: "function",
    function: {
      name: "get_weather",
      arguments: JSON.stringify({
        city: `Harbour ${at}`,
        days: at + 40,
        why: prose(`Reason ${at}`, 4),
      }),
    },
  })),
  {
    id: "call_chat_custom",
    type: "custom",
    custom: { name: "apply_patch", input: `*** Begin Patch\n${prose("+chat", 4)}\n*** End Patch` },
  },
];

export const chatSamples: readonly Sample[] = [
  {
    name: "a long answer with citations",
    wire: completion([{
      content: prose("Searched and found", 60),
      annotations: [1, 2, 3].map((at) => ({
        type: "url_citation",
        url_citation: { start_index: at * 101, end_index: at * 101 + 43, ...pageOf("chat", at) },
      })),
    }]),
  },
  {
    name: "parallel and free-text calls behind thoughts",
    wire: completion([{
      content: prose("I call"),
      reasoning_content: prose("Thinking in chat", 5),
      tool_calls: calls,
    }]),
  },
  {
    name: "thoughts with proofs",
    wire: completion([{
      content: prose("After thinking"),
      reasoning: prose("Routed thought", 2),
      reasoning_details: [
        {
          type: "reasoning.text",
          text: prose("Routed thought", 2),
          signature: sealed("routed"),
          format: "anthropic-claude-v1",
          index: 0,
        },
        {
          type: "reasoning.encrypted",
          data: sealed("routed-encrypted"),
          id: "rs_routed",
          format: "openai-responses-v1",
          index: 1,
        },
      ],
    }]),
  },
  {
    name: "several alternatives with log probabilities",
    wire: completion(
      [1, 2, 3].map((at) => ({ content: prose(`Alternative ${at}`, 6) })),
      { choice: { logprobs } },
    ),
  },
  {
    name: "a refusal",
    wire: completion([{ refusal: "I must refuse to break the law of chat." }]),
  },
  {
    name: "filtered, with the filter's findings",
    wire: completion([{ content: "It begins and" }], {
      choice: {
        finish_reason: "content_filter",
        content_filter_results: { violence: { filtered: true, severity: "severe violence" } },
      },
      prompt_filter_results: [{
        prompt_index: 0,
        content_filter_results: { jailbreak: { filtered: false, detected: true } },
      }],
    }),
  },
  {
    name: "said aloud",
    wire: completion([{
      audio: {
        id: "audio_law",
        data: bytes("spoken answer", 80),
        expires_at: 1_795_349_999,
        transcript: prose("Spoken"),
      },
    }], {
      usage: {
        ...usage,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 317 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 613 },
      },
    }),
  },
  {
    name: "pictures of a router",
    wire: completion([{
      content: prose("Here it is"),
      images: [{
        type: "image_url",
        image_url: { url: `data:image/png;base64,${bytes("routed picture", 40)}` },
        index: 0,
      }],
    }], { provider: "Router of the law" }),
  },
  {
    name: "a prediction that was used",
    wire: completion([{ content: prose("Predicted", 10) }], {
      usage: {
        ...usage,
        completion_tokens_details: {
          reasoning_tokens: 0,
          accepted_prediction_tokens: 811,
          rejected_prediction_tokens: 173,
        },
      },
      metadata: { purpose: "metadata of the completion" },
      moderation: { flagged: true, categories: ["law/breaking"] },
      service_tier: "priority",
    }),
  },
  {
    name: "cut within a call",
    wire: completion([{
      content: prose("Then a call"),
      tool_calls: [{
        id: "call_cut",
        type: "function",
        function: { name: "get_weather", arguments: '{"city":"Half of the na' },
      }],
    }], { choice: { finish_reason: "length" } }),
  },
];
