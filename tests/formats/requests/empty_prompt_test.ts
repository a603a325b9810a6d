import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { vendors } from "../../strict/mod.ts";
import { converted, longBodies, told } from "./long_request.ts";
import { upstreamModels } from "./upstream_models.ts";

/** A prompt of system text alone, or with an empty user text, is sent in a form that the vendor accepts. */

const system = "You are the narrator of a game. Begin with the first scene. ".repeat(1_000);

type Prompt =
  | "system alone"
  | "an empty word"
  | "nothing but an empty word"
  | "an empty word at the end";
const prompts: Readonly<Record<Prompt, Readonly<Partial<Record<FormatName, JsonObject>>>>> = {
  "system alone": {
    "chat-completions": { model: "m", messages: [{ role: "system", content: system }] },
    responses: { model: "m", store: false, instructions: system, input: [] },
  },
  "an empty word": {
    "chat-completions": {
      model: "m",
      messages: [{ role: "system", content: system }, { role: "user", content: "" }],
    },
    responses: { model: "m", store: false, instructions: system, input: "" },
    messages: { model: "m", max_tokens: 99, system, messages: [{ role: "user", content: "" }] },
    "generate-content": {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: "user", parts: [{ text: "" }] }],
    },
  },
  "nothing but an empty word": {
    "chat-completions": { model: "m", messages: [{ role: "user", content: "" }] },
    responses: { model: "m", store: false, input: "" },
    messages: { model: "m", max_tokens: 99, messages: [{ role: "user", content: [] }] },
    "generate-content": { contents: [{ role: "user", parts: [] }] },
  },
  "an empty word at the end": {
    "chat-completions": {
      ...longBodies["chat-completions"],
      messages: [
        ...longBodies["chat-completions"].messages,
        { role: "assistant", content: "Found" },
        { role: "user", content: "" },
      ],
    },
    responses: {
      ...longBodies.responses,
      input: [
        ...longBodies.responses.input,
        { role: "assistant", content: "Found" },
        { role: "user", content: [{ type: "input_text", text: "" }] },
      ],
    },
    messages: {
      ...longBodies.messages,
      messages: [
        ...longBodies.messages.messages,
        { role: "assistant", content: "Found" },
        { role: "user", content: "" },
      ],
    },
    "generate-content": {
      ...longBodies["generate-content"],
      contents: [
        ...longBodies["generate-content"].contents,
        { role: "model", parts: [{ text: "Found" }] },
        { role: "user", parts: [{ text: "" }] },
      ],
    },
  },
};

/** Targets with the same form, for which nothing is added. */
const exact: readonly FormatName[] = ["chat-completions", "responses"];

for (const [name, bodies] of Object.entries(prompts)) {
  for (const from of formatNames) {
    const prompt = bodies[from];
    if (!prompt) continue; // this vendor refuses it
    for (const to of formatNames.filter((to) => to !== from)) {
      Deno.test(`${to} takes a prompt of ${name} from ${from}`, () => {
        const { body, notes } = converted(prompt, { from, to, model: upstreamModels[to] });
        const path = to === "generate-content"
          ? `/models/${upstreamModels[to]}:generateContent`
          : "";
        assertEquals(vendors[to].refusals({ path, headers, body }), []);
        const isExact = name === "system alone" && exact.includes(to);
        assertEquals(told(notes).map((note) => note.split(" ")[1]), isExact ? [] : ["repaired"]);
        assertEquals(
          JSON.stringify(body).split(system).length,
          JSON.stringify(prompt).split(system).length,
        );
      });
    }
  }
}

const headers = new Headers({ "anthropic-version": "2023-06-01" });
