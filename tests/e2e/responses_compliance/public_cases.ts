import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { compactionSchema, errorSchema, type ResponseObject, responseSchema } from "./schema.ts";
import type { Judged, Need } from "./server.ts";
import { type Step, type Turn } from "./session.ts";

/** A case of the public compliance suite of Open Responses (2026-04-24), under its public name. */
export interface PublicCase {
  readonly id: string;
  readonly needs?: readonly Need[];
  readonly run: (judged: Judged) => Promise<void>;
}

const message = (role: string, content: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  type: "message",
  role,
  content,
  ...more,
});
const user = (content: JsonObject[string]) => message("user", content);

const redDot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** As a caller writes it: without `strict`. */
const tools = [{
  type: "function",
  name: "get_weather",
  description: "The weather at a place",
  parameters: {
    type: "object",
    properties: { location: { type: "string" } },
    required: ["location"],
    additionalProperties: false,
  },
}];

export const publicCases: readonly PublicCase[] = [
  { id: "basic-response", run: (judged) => answered(judged, [user("Say hello in three words.")]) },
  {
    id: "assistant-phase",
    run: (judged) =>
      answered(judged, [
        message("assistant", "I look the number up.", { phase: "commentary" }),
        message("assistant", "It is four.", { phase: "final_answer" }),
        user("Say the number again."),
      ]),
  },
  {
    id: "response-output-phase-schema",
    run: async ({ create }) => {
      const response = await create({ input: "hi" });
      const said = { id: "msg_1", ...message("assistant", []), status: "completed" };
      const output = ["commentary", "final_answer"].map((phase) => ({ ...said, phase }));
      responseSchema.parse({ ...response, output });
      assert(!responseSchema.safeParse({ ...response, output: [{ ...said, phase: "x" }] }).success);
    },
  },
  {
    id: "streaming-response",
    run: async ({ stream }) => {
      const { events, response } = await stream({ input: [user("Count to five.")] });
      assert(events.length > 0);
      assertEquals(response.status, "completed");
    },
  },
  {
    id: "system-prompt",
    run: (judged) =>
      answered(judged, [message("system", "Talk like a pirate."), user("Say hello.")]),
  },
  {
    id: "tool-calling",
    run: async ({ create }) => {
      // the small model calls the tools that its user names
      const input = [user('call get_weather {"location":"San Francisco"}')];
      const response = await create({ input, tools });
      assert(response.output.some(({ type }) => type === "function_call"));
    },
  },
  {
    id: "image-input",
    run: (judged) =>
      answered(judged, [
        user([
          { type: "input_text", text: "What is in the picture?" },
          { type: "input_image", image_url: `data:image/png;base64,${redDot}` },
        ]),
      ]),
  },
  {
    id: "multi-turn",
    run: (judged) =>
      answered(judged, [
        user("My name is Ada."),
        message("assistant", "Hello Ada!"),
        user("What is my name?"),
      ]),
  },
  {
    id: "compact-response",
    needs: ["compact"],
    run: async (judged) => {
      const { output } = await compacted(judged, [
        user("We start on Tuesday."),
        message("assistant", "Noted: on Tuesday."),
      ]);
      assert(output.some(({ type }) => type === "compaction"));
    },
  },
  {
    id: "compact-missing-model",
    needs: ["compact"],
    run: async ({ call }) => {
      const body = { input: [user("Compact this.")] };
      const refused = await call("POST", "/v1/responses/compact", body);
      assert([400, 422].includes(refused.status), `status ${refused.status}`);
      errorSchema.parse(refused.body);
    },
  },
  {
    id: "websocket-response",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const [turn] = await turns([{ input: [user("Count to three.")] }]);
      completed(turn);
    },
  },
  {
    id: "websocket-sequential-responses",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const both = await turns(["first", "second"].map((word) => unstored(`Say ${word}`)));
      assertEquals(both.map(completed).map(({ status }) => status), ["completed", "completed"]);
    },
  },
  {
    id: "websocket-continuation",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const [, second] = await turns([
        unstored("The word is cobalt."),
        continuing("Which word is it?"),
      ]);
      completed(second);
    },
  },
  {
    id: "websocket-reconnect-store-false-recovery",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const [first] = await turns([unstored("The word is copper.")]);
      const [missed, recovered] = await turns([
        { ...unstored("Which word is it?"), previous_response_id: completed(first).id },
        unstored("Start again."),
      ]);
      assertEquals(missed.errorCode, "previous_response_not_found");
      completed(recovered);
    },
  },
  {
    id: "websocket-previous-response-not-found",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const [missed] = await turns([{ ...unstored("hi"), previous_response_id: "resp_unknown" }]);
      assertEquals(missed.errorCode, "previous_response_not_found");
    },
  },
  {
    id: "websocket-failed-continuation-evicts-cache",
    needs: ["websocket"],
    run: async ({ turns }) => {
      const orphan = { type: "function_call_output", call_id: "call_unknown", output: "none" };
      const [first, failed, retried] = await turns([
        unstored("The word is ember."),
        continuing([orphan]),
        continuing("Which word is it?"),
      ]);
      completed(first);
      assert(failed.errorCode !== undefined, "a result without a call must fail");
      assertEquals(retried.errorCode, "previous_response_not_found");
    },
  },
  {
    id: "websocket-compact-new-chain",
    needs: ["websocket", "compact"],
    run: async (judged) => {
      const { output } = await compacted(judged, [
        user([{ type: "input_text", text: "The word is slate." }]),
        message("assistant", [{ type: "output_text", text: "OK." }]),
        user([{ type: "input_text", text: "Compact this." }]),
      ]);
      const input = [...output as JsonObject[], user("Go on.")];
      const [turn] = await judged.turns([{ store: false, input, tools: [] }]);
      completed(turn);
    },
  },
];

async function answered({ create }: Judged, input: JsonObject[]): Promise<void> {
  const response = await create({ input });
  assertEquals(response.status, "completed");
  assert(response.output.length > 0);
}

async function compacted({ call }: Judged, input: JsonObject[]) {
  const body = { model: "judged", prompt_cache_key: "compliance", input };
  const answer = await call("POST", "/v1/responses/compact", body);
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
  return compactionSchema.parse(answer.body);
}

function unstored(input: string): JsonObject {
  return { store: false, input };
}

/** A turn that continues the first one. */
function continuing(input: string | JsonObject[]): Step {
  return ([first]) => ({ store: false, input, previous_response_id: completed(first).id });
}

function completed({ response, errorCode }: Turn): ResponseObject {
  assert(response, `no answer, but ${errorCode}`);
  assertEquals(response.status, "completed");
  return response;
}
