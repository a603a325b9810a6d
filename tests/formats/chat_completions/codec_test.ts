import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { codecSuite } from "../codec_suite.ts";

/** The format treats `null` as absent, and an empty list of calls or annotations too. */
function withoutNothing(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) =>
      value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
    ),
  );
}

function normalMessage(message: JsonObject): JsonObject {
  const { content } = message;
  const text = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { ...withoutNothing(message), ...(text && { content: text }) };
}

function objects(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function normalRequest(body: JsonObject): JsonObject {
  return { ...withoutNothing(body), messages: objects(body.messages).map(normalMessage) };
}

/** `""` and `null` mean the same in an answer, and an upstream may omit `logprobs: null`. */
function normalResponse(body: JsonObject): JsonObject {
  const choices = objects(body.choices).map((choice) => {
    const message = isJsonObject(choice.message) ? choice.message : {};
    return { ...withoutNothing(choice), message: { content: "", ...withoutNothing(message) } };
  });
  return { ...withoutNothing(body), choices };
}

/** The message that the vendor's SDK builds from a stream. */
function accumulate(stream: readonly JsonObject[]): JsonObject {
  const choices = new Map<number, Record<string, JsonValue>>();
  for (const chunk of stream) for (const choice of objects(chunk.choices)) add(choices, choice);
  const usage = stream.map((chunk) => chunk.usage).findLast((value) => value);
  return {
    ...stream[0],
    object: "chat.completion",
    choices: [...choices.values()],
    ...(usage && { usage }),
  };
}

function add(choices: Map<number, Record<string, JsonValue>>, choice: JsonObject): void {
  const index = Number(choice.index);
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  const sum: Record<string, JsonValue> = choices.get(index) ?? { index };
  const message: Record<string, JsonValue> = { role: "assistant", content: "" };
  Object.assign(message, sum.message);
  for (const name of ["content", "refusal"]) {
    if (typeof delta[name] === "string") message[name] = String(message[name] ?? "") + delta[name];
  }
  const calls = objects(message.tool_calls).map((call) => structuredClone(call));
  for (const { index: at, function: called, ...rest } of objects(delta.tool_calls)) {
    const known = (calls[Number(at)] ?? { function: { name: "", arguments: "" } }) as {
      function: { name: string; arguments: string };
    };
    const part = isJsonObject(called) ? called : {};
    known.function.name ||= String(part.name ?? "");
    known.function.arguments += String(part.arguments ?? "");
    calls[Number(at)] = { ...known, ...rest };
  }
  if (calls.length > 0) message.tool_calls = calls;
  choices.set(index, {
    ...sum,
    message,
    finish_reason: choice.finish_reason ?? sum.finish_reason ?? null,
  });
}

const message = { role: "user", content: "Hi" };
const wireOf = (body: JsonObject) => ({
  path: "/chat/completions",
  search: {},
  headers: {},
  body,
});

codecSuite(chatCompletions, {
  wireOf,
  eventsOf: (stream) => [
    ...stream.map((chunk) => ({ data: JSON.stringify(chunk) })),
    { data: "[DONE]" },
  ],
  normalizeRequest: normalRequest,
  normalizeResponse: normalResponse,
  accumulate,
  malformed: [
    { name: "no model", body: { messages: [message] }, names: "model" },
    { name: "no messages", body: { model: "m" }, names: "messages" },
  ],
});
