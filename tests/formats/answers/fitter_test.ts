import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  type Citation,
  eventsOf,
  type FormatName,
  formatNames,
  type JsonObject,
  type NativeFields,
  type Part,
  sealContinuation,
} from "../../../lib/canonical/mod.ts";
import { AnswerFitter, fittedAnswer } from "../../../lib/formats/answer/fitter.ts";
import { alikeMax, answerNotes } from "../../../lib/formats/answer/notes.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { threadCpuTimeMs } from "../../cpu_time.ts";
import { bareRequest } from "../requests/bare_request.ts";
import { oddEvents } from "./arbitrary.ts";
import { converted } from "./law.ts";

const request: CanonicalRequest = {
  ...bareRequest,
};
const asJson: CanonicalRequest = { ...request, output: { type: "json" } };

function answerOf(
  from: FormatName,
  parts: readonly Part[],
  besides: Partial<CanonicalResponse> = {},
): CanonicalResponse {
  return {
    id: "up_1",
    model: "up",
    alternatives: [{ parts, finishReason: "stop" }],
    native: { format: from, fields: {} },
    ...besides,
  };
}

function fitted(answer: CanonicalResponse, to: FormatName, asked = request) {
  const { response, notes } = fittedAnswer(answer, codecs[to], asked);
  return {
    parts: response.alternatives[0].parts,
    finishReason: response.alternatives[0].finishReason,
    text: response.alternatives[0].parts.map((part) => part.type === "text" ? part.text : "")
      .join(""),
    notes: notes.map(({ path, action }) => `${path} ${action}`),
  };
}

function textOf(text: string, citations?: readonly Citation[]): Part {
  return { type: "text", text, ...(citations && { citations }) };
}

function itemOf(format: FormatName, text?: string): Part {
  return {
    type: "native",
    format,
    value: { type: "hosted_call", id: "x_1" },
    ...(text !== undefined && { text }),
  };
}

const picture: Part = {
  type: "image",
  source: { type: "base64", data: "iVBORw0KGgo=" },
  mediaType: "image/png",
};
const pairs = formatNames.flatMap((from) =>
  formatNames.filter((to) => to !== from).map((to) => ({ from, to }))
);

for (const form of ["whole", "streamed"]) {
  for (const to of formatNames.filter((name) => name !== "generate-content")) {
    Deno.test(`AnswerFitter generate-content → ${to}: the signature of a text, ${form}`, () => {
      const chunkOf = (parts: JsonObject[], ending: JsonObject = {}) => ({
        candidates: [{ content: { role: "model", parts }, index: 0, ...ending }],
        modelVersion: "m",
        responseId: "r",
      });
      const said = { text: "The tide is low." };
      const signed = { text: "", thoughtSignature: "EqsFCqgF" };
      const end = { finishReason: "STOP" };
      const wire = form === "whole"
        ? chunkOf([said, signed], end)
        : [chunkOf([said]), chunkOf([signed], end)];
      const { notes, sent } = converted({ from: "generate-content", wire }, to);
      const isCarried = JSON.stringify(sent).includes(sealed("EqsFCqgF", to));
      const noted = notes.map(({ path, action }) => `${path} ${action}`);
      assertEquals(
        [isCarried, noted],
        to === "messages" ? [false, ["answer.parts[0].continuation dropped"]] : [true, []],
      );
    });
  }
}

function sealed(data: string, carrier: FormatName): string {
  return sealContinuation(carrier, { issuer: "generate-content", data }).slice(0, 40);
}

Deno.test("AnswerFitter generate-content → messages: a signed text of a plain answer is noted", () => {
  const continuation = { issuer: "generate-content", data: "EqsFCqgF" } as const;
  const text: Part = { type: "text", text: "Low.", continuation };
  const { notes } = fitted(answerOf("generate-content", [text]), "messages");
  assertEquals(notes, ["answer.parts[0].continuation dropped"]);
});

for (const { from, to } of pairs) {
  Deno.test(`AnswerFitter ${from} → ${to}: an item with words is a paragraph of its own`, () => {
    const answer = answerOf(from, [
      textOf("Before."),
      itemOf(from, "**Searched** for cats\n"),
      itemOf(from, "Found 3"),
      textOf("After."),
    ]);
    const { text, notes } = fitted(answer, to);
    assertEquals(text, "Before.\n\n**Searched** for cats\n\nFound 3\n\nAfter.");
    assertEquals(notes, ["answer.parts[1] emulated", "answer.parts[2] emulated"]);
  });

  Deno.test(`AnswerFitter ${from} → ${to}: an item without words is noted`, () => {
    const { text, notes } = fitted(answerOf(from, [itemOf(from), textOf("Said.")]), to);
    assertEquals(text, "Said.");
    assertEquals(notes, ["answer.parts[0] dropped"]);
  });

  Deno.test(`AnswerFitter ${from} → ${to}: nothing is added to an answer in JSON`, () => {
    const cited = textOf('{"a":1}', [{ title: "Report", quote: "one" }]);
    const lost = itemOf(from, "Searched");
    const { text, notes } = fitted(answerOf(from, [lost, cited]), to, asJson);
    assertEquals(text, '{"a":1}');
    assertEquals(notes, ["answer.parts[0] dropped", "answer.parts[1].citations dropped"]);
  });

  Deno.test(`AnswerFitter ${from} → ${to}: a document is cited in the text`, () => {
    const quote = "w".repeat(400);
    const cited = textOf("It grew by 4 %.", [
      { title: "Report [2025]", quote: "grew by\nfour percent", start: 0, end: 15 },
      { title: "Report [2025]", quote: "grew by\nfour percent", start: 0, end: 15 },
      { title: "Long", quote },
    ]);
    const { text, notes } = fitted(answerOf(from, [cited]), to);
    assertEquals(
      text,
      `It grew by 4 %. (Report \\[2025\\]: “grew by four percent”, Long: “${"w".repeat(160)}…”)`,
    );
    assertEquals(notes, ["answer.parts[0].citations emulated"]);
  });

  Deno.test(`AnswerFitter ${from} → ${to}: an item that asks is a call, and the answer ends for it`, () => {
    const call = { id: "mcpr_1", name: "mcp_approval_request", arguments: '{"name":"rm"}' };
    const asks: Part = { ...itemOf(from), call } as Part; // sound: an item of this type
    const { parts, finishReason, notes } = fitted(answerOf(from, [asks]), to);
    assertEquals(parts, [{ type: "tool-call", kind: "function", ...call }]);
    assertEquals(finishReason, "tool-calls");
    assertEquals(notes, ["answer.parts[0] emulated"]);
  });
}

const web: Citation = { url: "https://a.test/x_(y)", title: "A ]( B", start: 0, end: 4 };

Deno.test("AnswerFitter: web citations have a place in all formats but messages", () => {
  for (const { from, to } of pairs) {
    const { text, notes } = fitted(answerOf(from, [textOf("Cats", [web, web])]), to);
    if (to !== "messages") {
      assertEquals([text, notes], ["Cats", []]);
      continue;
    }
    assertEquals(text, "Cats ([A \\]( B](https://a.test/x_%28y%29))");
    assertEquals(notes, ["answer.parts[0].citations emulated"]);
  }
});

Deno.test("AnswerFitter: a link that the text has already is not repeated", () => {
  const said = "See [A](https://a.test/x).";
  const cited = textOf(said, [{ url: "https://a.test/x", title: "A" }]);
  assertEquals(fitted(answerOf("responses", [cited]), "messages").text, said);
});

Deno.test("AnswerFitter: quotes outside structured citations are noted", () => {
  const quoted = { ...web, quote: "words of the source" };
  const own = { ...web, quote: "Cats" }; // the words of the answer itself
  const answer = (citation: Citation) => answerOf("messages", [textOf("Cats", [citation])]);
  assertEquals(fitted(answer(quoted), "responses").notes, ["answer.parts[0].citations dropped"]);
  assertEquals(fitted(answer(own), "responses").notes, []);
});

Deno.test("AnswerFitter: a picture is shown where the format can, else linked in the text", () => {
  const linked = "![image](data:image/png;base64,iVBORw0KGgo=)\n\n";
  for (const { from, to } of pairs) {
    const { parts, notes } = fitted(answerOf(from, [picture]), to);
    assertEquals(parts, to === "messages" ? [textOf(linked)] : [picture]);
    assertEquals(notes, to === "messages" ? ["answer.parts[0] emulated"] : []);
  }
});

Deno.test("AnswerFitter: media of other kinds and sources", () => {
  const url: Part = { type: "image", source: { type: "url", url: "https://a.test/p.png" } };
  const kept: Part = {
    type: "image",
    source: { type: "file-id", id: "f_1", format: "generate-content" },
  };
  const spoken: Part = {
    type: "audio",
    source: { type: "base64", data: "AAAA" },
    transcript: "Hello",
  };
  const file: Part = {
    type: "file",
    source: { type: "base64", data: "AAAA" },
    mediaType: "application/pdf",
    name: "a.pdf",
  };
  const told = (part: Part, to: FormatName) => {
    const { text, notes } = fitted(answerOf("generate-content", [part]), to);
    return [text, ...notes];
  };
  const links = ["![image](https://a.test/p.png)\n\n", "answer.parts[0] emulated"];
  assertEquals(told(url, "responses"), links);
  assertEquals(told(url, "chat-completions"), [""]);
  assertEquals(told(kept, "chat-completions"), ["", "answer.parts[0] dropped"]);
  assertEquals(told(spoken, "messages"), ["Hello\n\n", "answer.parts[0] emulated"]);
  assertEquals(told(spoken, "chat-completions"), [""]);
  assertEquals(told(file, "messages")[0], "[a.pdf](data:application/pdf;base64,AAAA)\n\n");
  const heard = fitted(answerOf("chat-completions", [spoken]), "generate-content");
  assertEquals(heard.parts, [spoken, textOf("Hello\n\n")]);
  assertEquals(heard.notes, ["answer.parts[0].transcript emulated"]);
});

Deno.test("AnswerFitter: further alternatives, a pause and fields of the upstream are noted", () => {
  const format = "chat-completions";
  const native: NativeFields = { format, fields: { provider: "p", search_results: [1] } };
  const ending: NativeFields = { format, fields: { logprobs: { content: [1] } } };
  const one = { parts: [textOf("One")], finishReason: "pause", native: ending } as const;
  const answer = answerOf(format, [], { native, alternatives: [one, one, one] });
  const { response, notes } = fittedAnswer(answer, codecs.responses, request);
  assertEquals(response.alternatives.length, 1);
  assertEquals(notes.map(({ path }) => path), [
    "answer.native.search_results",
    "answer.alternatives[1]",
    "answer.alternatives[2]",
    "answer.native.logprobs",
    "answer.finishReason",
  ]);
});

Deno.test("AnswerFitter: refusals, stop sequences, cut calls and kinds of audio that have no mark are noted", () => {
  const cutCall: Part = {
    type: "tool-call",
    id: "c",
    kind: "function",
    name: "f",
    arguments: '{"city":"Half',
  };
  const sound: Part = {
    type: "audio",
    source: { type: "base64", data: "AAAA" },
    mediaType: "audio/L16;rate=24000",
  };
  const alternatives = [{
    parts: [{ type: "refusal", text: "No." } as const, sound, cutCall],
    finishReason: "length" as const,
    stopSequence: "END",
  }];
  const noted = (from: FormatName, to: FormatName) =>
    fitted(answerOf(from, [], { alternatives }), to).notes;
  assertEquals(noted("responses", "generate-content"), [
    "answer.parts[0] emulated",
    "answer.parts[2].arguments repaired",
    "answer.stopSequence dropped",
    "answer.parts[2] dropped",
  ]);
  assertEquals(noted("messages", "chat-completions"), [
    "answer.parts[1].mediaType dropped",
    "answer.stopSequence dropped",
  ]);
  assertEquals(noted("chat-completions", "messages"), [
    "answer.parts[1] emulated",
    "answer.parts[2].arguments repaired",
    "answer.parts[2] dropped",
  ]);
});

Deno.test("AnswerFitter: arguments that a format cannot express are noted", () => {
  const call = (text: string, kind: "function" | "custom" = "function"): Part => ({
    type: "tool-call",
    id: "c",
    name: "f",
    arguments: text,
    kind,
  });
  const parts = [call('{"cut'), call("[1]"), call("{}"), call(""), call("*** free", "custom")];
  const places = ["answer.parts[0].arguments repaired", "answer.parts[1].arguments repaired"];
  for (const { from, to } of pairs) {
    const isText = to === "chat-completions" || to === "responses";
    assertEquals(fitted(answerOf(from, parts), to).notes, isText ? [] : places);
  }
});

Deno.test("AnswerFitter: a link differs from a longer one in the text, also at the end of a very long text", () => {
  const fitter = new AnswerFitter(codecs.messages, request);
  const native: NativeFields = { format: "responses", fields: {} };
  fitter.push({ type: "start", id: "", model: "m", native });
  fitter.push({ type: "part-start", index: 0, part: textOf("") });
  const piece = "words ".repeat(1000);
  for (let at = 0; at < 2000; at++) fitter.push({ type: "part-delta", index: 0, text: piece });
  const patch = { citations: [web] };
  const [added] = fitter.push({ type: "part-end", index: 0, patch });
  assert(added.type === "part-delta");
  assertStringIncludes(added.text, "https://a.test");
});

Deno.test("AnswerFitter: a link is said where the text has only a longer one that begins like it", () => {
  const url = "https://cats.example/a";
  for (const longer of [`${url}b`, `${url}/b`, `${url}?b=1`, `${url}.html`]) {
    const { text } = fitted(
      answerOf("chat-completions", [textOf(`See ${longer} first.`, [{ url }])]),
      "messages",
    );
    assertEquals(text, `See ${longer} first. ([${url}](${url}))`);
  }
  for (const said of [`See ${url}.`, `See (${url}), then`, `${url}b and ${url}`]) {
    const { text } = fitted(
      answerOf("chat-completions", [textOf(said, [{ url }])]),
      "messages",
    );
    assertEquals(text, said);
  }
});

Deno.test("AnswerFitter: a hundred thousand citations of one text cost no more than a thousand, and what is left out is noted", () => {
  const citations = Array.from({ length: 100_000 }, (_, at): Citation => {
    return at % 2 === 0 ? { url: `https://cats.example/${at}` } : { title: `Report ${at}` };
  });
  const began = threadCpuTimeMs();
  for (const to of ["messages", "generate-content"] as const) {
    const answer = answerOf("chat-completions", [textOf("cats ".repeat(100_000), citations)]);
    const { text, notes } = fitted(answer, to);
    assert(text.length < 600_000);
    assertEquals(notes.slice(0, 2), [
      "answer.parts[0].citations emulated",
      "answer.parts[0].citations dropped",
    ]);
  }
  assert(threadCpuTimeMs() - began < 3_000);
});

Deno.test("AnswerFitter: the number of notes is bounded", () => {
  const parts = Array.from({ length: 5000 }, () => itemOf("responses", "Searched"));
  const { notes } = fittedAnswer(answerOf("responses", parts), codecs.messages, request);
  assertEquals(notes.length, alikeMax + 1);
  assertStringIncludes(notes.at(-1)?.reason ?? "", `(${5000 - alikeMax} more)`);
  assert(Object.keys(answerNotes).length * (alikeMax + 1) <= 100);
});

Deno.test("AnswerFitter: answers of the same format, and of the embedded model, go through untouched", () => {
  for (const to of formatNames) {
    for (const native of [undefined, { format: to, fields: { x: 1 } }]) {
      const fitter = new AnswerFitter(codecs[to], request);
      const { native: _, ...plain } = answerOf(to, [itemOf(to), picture, textOf("x", [web])]);
      const answer = { ...plain, ...(native && { native }) };
      for (const event of eventsOf(answer)) assertStrictEquals(fitter.push(event)[0], event);
      assertEquals(fitter.notes, []);
      assertStrictEquals(fittedAnswer(answer, codecs[to], request).response, answer);
    }
  }
});

Deno.test("AnswerFitter keeps the laws of events, whatever an upstream says", () => {
  fc.assert(
    fc.property(
      oddEvents,
      fc.constantFrom(...pairs),
      fc.boolean(),
      (events, { from, to }, json) => {
        const fitter = new AnswerFitter(codecs[to], json ? asJson : request);
        const out = events.flatMap((event) =>
          fitter.push(
            event.type === "start" ? { ...event, native: { format: from, fields: {} } } : event,
          )
        );
        assertLaws(out);
        assertEquals(out.at(-1)?.type, events.at(-1)?.type);
      },
    ),
    { numRuns: 1000 },
  );
});

function assertLaws(events: readonly CanonicalEvent[]): void {
  const open = new Map<number, number>();
  let next = 0;
  for (const event of events) {
    if (event.type === "part-start") {
      const { index, alternative = 0 } = event;
      assertEquals(index, next++);
      assert(!open.values().some((other) => other === alternative), "two parts open at once");
      open.set(index, alternative);
    } else if (event.type === "part-delta") assert(open.has(event.index));
    else if (event.type === "part-end") assert(open.delete(event.index));
    else if (event.type === "end") assertEquals(open.size, 0);
  }
}
