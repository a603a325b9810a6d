import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  dialects,
  type Parameters,
  type PartialAnswer,
  playgroundFormats,
  problemOf,
  type PromptTurn,
  promptTurns,
  type RequestContent,
  type ToolDefinition,
} from "../../lib/playground/mod.ts";
import { startGateway } from "../e2e/gateway.ts";
import { answerIn } from "./streams.ts";

const tools: readonly ToolDefinition[] = [{
  name: "weather",
  description: "The weather of a city",
  parameters: { type: "object", properties: { city: { type: "string" } } },
}];

const said = (text: string): PromptTurn => ({ role: "user", text, attachments: [] });

interface Given extends Partial<Omit<RequestContent, "parameters">> {
  readonly parameters?: Partial<Parameters>;
}

/** Asks the embedded model by way of the gateway, as the playground does. */
for (const format of playgroundFormats) {
  for (const stream of [true, false]) {
    Deno.test(`${format}${stream ? ", streaming" : ""}: text, thoughts, calls, files, schema and errors`, async (t) => {
      await using gateway = await startGateway();
      const ask = async (given: Given): Promise<PartialAnswer> => {
        const { path, body } = dialects[format].request({
          model: "tessera-echo",
          system: "",
          turns: [],
          tools: [],
          ...given,
          parameters: { stop: [], stream, ...given.parameters },
        });
        const response = await fetch(gateway.base + path, {
          method: "POST",
          headers: { authorization: `Bearer ${gateway.key}` },
          body: JSON.stringify(body),
        });
        if (response.ok) return await answerIn(response, format);
        const { status, headers } = response;
        const problem = problemOf(await response.json(), {
          status,
          retryAfter: headers.get("retry-after"),
        });
        return { reasoning: "", proofs: [], text: "", images: [], calls: [], problem };
      };

      await t.step("text, a system prompt and a turn before", async () => {
        const turns: PromptTurn[] = [
          said("one"),
          { role: "assistant", text: "two", calls: [] },
          said("three"),
        ];
        const { text, finish, problem } = await ask({ turns, system: "Be short" });
        assertMatch(text, /three/);
        assert(finish !== undefined && problem === undefined);
      });

      await t.step("thoughts", async () => {
        const { reasoning } = await ask({
          turns: [said("think")],
          parameters: { effort: "low", maxTokens: 4_000 },
        });
        assert(reasoning.length > 0);
      });

      await t.step("a call, its result and the answer to it", async () => {
        const question = said('call weather {"city":"Oslo"}');
        const { calls, text, proofs, reasoning } = await ask({ turns: [question], tools });
        assertEquals(calls.map(({ name, json }) => [name, JSON.parse(json)]), [
          ["weather", { city: "Oslo" }],
        ]);
        const asked: PromptTurn = { role: "assistant", text, calls };
        assertEquals([proofs.length, reasoning], [0, ""]);
        const results = [{ callId: calls[0].id, name: "weather", text: "Sleet" }];
        const answer = await ask({ turns: [question, asked, { role: "tool", results }], tools });
        assertMatch(answer.text, /Sleet/);
      });

      await t.step("an image and a file", async () => {
        const png =
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
        const attachments = [
          { name: "dot.png", mediaType: "image/png", base64: png },
          { name: "note.pdf", mediaType: "application/pdf", base64: btoa("%PDF-1.4") },
        ];
        const { text, problem } = await ask({
          turns: [{ role: "user", text: "look", attachments }],
        });
        assertEquals(problem, undefined);
        // The parts of generate-content have no names.
        const named = format === "generate-content" ? "" : "note.pdf, ";
        assertStringIncludes(
          text,
          `an image (image/png, 70 bytes), a file (${named}application/pdf, 8 bytes)`,
        );
      });

      await t.step("an answer that follows a schema, with every parameter", async () => {
        const schema = {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false,
        };
        const { text, problem } = await ask({
          turns: [said("Oslo")],
          parameters: { schema, temperature: 0.5, topP: 0.9, maxTokens: 500, stop: ["@@"] },
        });
        assertEquals(problem, undefined);
        assertEquals(typeof JSON.parse(text).city, "string");
      });

      await t.step("an answer that breaks off, and one that is refused", async () => {
        const broken = await ask({ turns: [said("fail midway")] });
        assertMatch(broken.problem?.message ?? "", /Failed as requested/);
        const refused = await ask({ turns: [said("fail 429")] });
        assertEquals(refused.problem?.status, 429);
        assert((refused.problem?.retryAfterSeconds ?? 0) >= 1);
      });
    });
  }
}

Deno.test("promptTurns keeps one seal of thinking, and only for the format that it came in", () => {
  const reply = {
    role: "assistant",
    id: 1,
    model: "m",
    format: "messages",
    state: "whole",
    request: { path: "", body: {} },
    raw: "",
    answer: {
      reasoning: "Hm.",
      proofs: ["seal"],
      text: "Yes",
      images: [],
      calls: [{ id: "c", name: "look", json: "{}", proof: "own" }],
    },
  } as const;
  const thought = { text: "Hm.", proof: "seal" };
  const [own] = promptTurns([reply], "messages");
  assertEquals(own, { role: "assistant", text: "Yes", calls: reply.answer.calls, thought });
  const [other] = promptTurns([reply], "generate-content");
  const calls = [{ id: "c", name: "look", json: "{}" }];
  assertEquals(other, { role: "assistant", text: "Yes", calls });
  const cut = { ...reply, state: "stopped" } as const;
  assertEquals(promptTurns([cut], "responses"), [{ role: "assistant", text: "Yes", calls: [] }]);
  const many = { ...reply, answer: { ...reply.answer, proofs: ["one", "two"] } };
  assertEquals(Object.hasOwn(promptTurns([many], "messages")[0], "thought"), false);
});
