import { assertEquals } from "@std/assert";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { contextOf } from "../codec_suite.ts";
import { type Answered, converted } from "./law.ts";
import { streamOf } from "./streams.ts";

/** Members of answers that one format has: carried where the caller's format has them, else noted. */

const seconds = 1_795_000_000;
const chat = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: seconds,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const fingerprinted = { ...chat, system_fingerprint: "fp_1" };
const token = { token: "Hi", bytes: [72, 105], logprob: -0.5, token_id: 17, text_offset: 3 };
const rated = {
  ...chat,
  choices: [{
    ...chat.choices[0],
    logprobs: { content: [{ ...token, top_logprobs: [token] }], refusal: null },
  }],
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1, inference_geo: "us" },
};
const contents = {
  candidates: [{
    content: { role: "model", parts: [{ text: "Hi" }] },
    finishReason: "STOP",
    index: 0,
  }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: "m",
  responseId: "r",
};
const dated = { ...contents, createTime: new Date(seconds * 1000).toISOString() };
const retiring = { ...contents, modelStatus: { modelStage: "LEGACY", message: "Retires soon" } };

const members: readonly {
  readonly name: string;
  readonly from: FormatName;
  readonly wire: JsonObject;
  /** The path of the note; by the caller's format if it differs. */
  readonly noted: (to: FormatName) => readonly string[];
}[] = [
  {
    name: "system_fingerprint",
    from: "chat-completions",
    wire: fingerprinted,
    noted: () => ["answer.native.system_fingerprint"],
  },
  {
    name: "usage.inference_geo",
    from: "messages",
    wire: message,
    noted: () => ["answer.usage.servedRegion"],
  },
  {
    name: "modelStatus",
    from: "generate-content",
    wire: retiring,
    noted: () => ["answer.native.modelStatus"],
  },
  {
    name: "createTime",
    from: "generate-content",
    wire: dated,
    noted: () => [], // a time without a place is close to that of the call
  },
  {
    name: "token_id of a log probability",
    from: "chat-completions",
    wire: rated,
    noted: (to) => to === "responses" ? [] : ["answer.parts[0].logprobs"],
  },
];

for (const { name, from, wire, noted } of members) {
  for (const to of formatNames.filter((to) => to !== from)) {
    for (const form of ["whole", "streamed"]) {
      Deno.test(`${name} does not vanish on its way to a caller of ${to}, ${form}`, () => {
        const answered: Answered = { from, wire: form === "whole" ? wire : streamOf[from](wire) };
        const { notes } = converted(answered, to);
        assertEquals(notes.map(({ path }) => path), noted(to));
      });
    }
  }
}

for (const form of ["whole", "streamed"]) {
  Deno.test(`the time of an answer is the upstream's in every format that has one, ${form}`, () => {
    const cases = [["chat-completions", chat], ["generate-content", dated]] as const;
    for (const [from, wire] of cases) {
      for (const to of ["chat-completions", "responses"] as const) {
        if (from === to) continue;
        const answered = { from, wire: form === "whole" ? wire : streamOf[from](wire) };
        const { sent } = converted(answered, to);
        const last = Array.isArray(sent) ? sent.filter(isJsonObject).at(-1) ?? {} : sent;
        const body = isJsonObject(last) && isJsonObject(last.response) ? last.response : last;
        const time = isJsonObject(body) ? body.created ?? body.created_at : undefined;
        assertEquals(time, seconds, `${from} → ${to}`);
      }
    }
  });
}

Deno.test("members of a chunk before the first choice are noted, too", () => {
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
  const wire = [
    { ...head, choices: [], of_tomorrow: { says: "before" } },
    { ...head, choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] },
    {
      ...head,
      choices: [{ index: 0, delta: { content: "!" }, finish_reason: null }],
      of_today: { says: "between" },
    },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ];
  const { notes } = converted({ from: "chat-completions", wire }, "messages");
  assertEquals(notes.map(({ path }) => path), [
    "answer.native.of_tomorrow",
    "answer.native.of_today",
  ]);
});

const sound = ["UklGRiQA", "AABXQVZF", "Zm10IBAA"];
const words = ["The tide ", "is low."];
const audioEvents: readonly JsonObject[] = [
  ...sound.map((delta) => ({ type: "response.audio.delta", delta })),
  { type: "response.audio.done" },
  ...words.map((delta) => ({ type: "response.audio.transcript.delta", delta })),
  { type: "response.audio.transcript.done" },
];

function spoken(output: readonly JsonObject[]): JsonObject[] {
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output,
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
  const [first, second, ...rest] = streamOf.responses(response);
  return [first, second, ...audioEvents, ...rest].map((event, sequence_number) => ({
    ...event,
    sequence_number,
  }));
}

for (const to of formatNames.filter((to) => to !== "responses")) {
  for (
    const output of [[], [{
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Here.", annotations: [] }],
    }]]
  ) {
    Deno.test(`response.audio events reach a caller of ${to}, ${output.length} other items`, () => {
      const { notes, sent } = converted({ from: "responses", wire: spoken(output) }, to);
      const text = JSON.stringify(sent);
      const noted = notes.map(({ path, action }) => `${path} ${action}`);
      const place = `answer.parts[${output.length}]`;
      assertEquals(text.includes("The tide is low."), true, text);
      assertEquals(text.includes(sound.join("")), to !== "messages");
      assertEquals(
        noted,
        {
          "chat-completions": [],
          messages: [`${place} emulated`],
          "generate-content": [`${place}.transcript emulated`],
        }[to as "messages"],
      );
    });
  }
}

for (const to of ["chat-completions", "responses"] as const) {
  Deno.test(`members of a token that ${to} shares with its vendor's servers are kept`, () => {
    const { alternatives } = codecs["chat-completions"].decodeResponse(rated);
    const sent = codecs[to].encodeResponse({ id: "c", model: "m", alternatives }, contextOf({}));
    const found = JSON.stringify(sent).match(/"token_id":17,"text_offset":3/g);
    assertEquals(found?.length, 2); // the token and its top one
  });
}

Deno.test("a whole chat answer has the first of several signatures of texts, and notes the others", () => {
  const signed = (text: string) => ({ text, thoughtSignature: btoa(text) });
  const wire = {
    ...contents,
    candidates: [{
      ...contents.candidates[0],
      content: { role: "model", parts: [signed("One"), signed("Two"), signed("Three")] },
    }],
  };
  const { notes } = converted({ from: "generate-content", wire }, "chat-completions");
  assertEquals(
    notes.map(({ path }) => path),
    [1, 2].map((at) => `answer.parts[${at}].continuation`),
  );
  assertEquals(converted({ from: "generate-content", wire }, "responses").notes, []);
});
