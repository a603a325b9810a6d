import { assert } from "@std/assert";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { longBodies } from "../../formats/requests/long_request.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { rowsOf } from "../interruptions/interrupted_call.ts";
import { wholeAnswers } from "../responses/whole_answers.ts";
import { answered, ask, plainRequest, streamOf } from "./format_pair.ts";

/**
 * A `null` in a list, and messages without content, in requests and in answers: another gateway
 * crashed on them (https://github.com/maximhq/bifrost/releases/tag/transports%2Fv2.5.1).
 */

/** The value with `null` as the first entry of one of its lists, for each list. */
function withNulls(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) {
    const inside = value.flatMap((inner, at) =>
      at > 3 ? [] : withNulls(inner).map((one) => value.with(at, one))
    );
    return [[null, ...value], [...value, null], [null], ...inside];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : withNulls(inner).map((one) => ({ ...value, [name]: one }))
  );
}

/** True if a list in it holds `null`. */
function holdsNull(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some((inner) => inner === null || holdsNull(inner));
  return isJsonObject(value) && Object.values(value).some(holdsNull);
}

const paths: Readonly<Record<FormatName, string>> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  "generate-content": "/v1beta/models/m:generateContent",
};

/** Short bodies with every kind of list. */
const requests: Readonly<Record<FormatName, JsonValue>> = {
  "chat-completions": {
    ...longBodies["chat-completions"],
    messages: longBodies["chat-completions"].messages.slice(0, 4),
    stop: ["x"],
  },
  responses: { ...longBodies.responses, input: longBodies.responses.input.slice(0, 3) },
  messages: { ...longBodies.messages, messages: longBodies.messages.messages.slice(0, 3) },
  "generate-content": {
    ...longBodies["generate-content"],
    contents: longBodies["generate-content"].contents.slice(0, 3),
  },
} as unknown as Record<FormatName, JsonValue>; // sound: plain JSON

const content = (value: JsonValue): Readonly<Record<FormatName, JsonObject>> => ({
  "chat-completions": { model: "m", messages: [{ role: "user", content: value }] },
  responses: { model: "m", store: false, input: [{ role: "user", content: value }] },
  messages: { model: "m", max_tokens: 9, messages: [{ role: "user", content: value }] },
  "generate-content": {
    contents: [{
      role: "user",
      parts: typeof value === "string" ? [{ text: value }] : value,
    }],
  },
});
const empties = [
  content(""),
  content(null),
  content([]),
  {
    "chat-completions": { model: "m", messages: [] },
    responses: { model: "m", store: false, input: [] },
    messages: { model: "m", max_tokens: 9, messages: [] },
    "generate-content": { contents: [] },
  },
  {
    "chat-completions": {
      model: "m",
      messages: [{ role: "user", content: "hi" }, { role: "assistant", content: null }, {
        role: "user",
        content: "and?",
      }],
    },
    responses: { model: "m", store: false, input: null },
    messages: {
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "hi" }, { role: "assistant", content: [] }, {
        role: "user",
        content: "and?",
      }],
    },
    "generate-content": {
      contents: [{ role: "user", parts: [{ text: "hi" }] }, { role: "model" }, {
        role: "user",
        parts: [{ text: "and?" }],
      }],
    },
  },
] as const satisfies readonly Record<FormatName, JsonObject>[];

for (const from of formatNames) {
  for (const to of formatNames) {
    Deno.test(`null entries and empty messages of ${from} to an upstream of ${to}: an answer or a 400 of the caller's, nothing else`, async () => {
      await using upstream = startUpstream((seen) => answered(to, wholeAnswers[to], seen));
      await using gateway = await startGateway(oneUpstream({ [to]: upstream.base }));
      const bodies = [...withNulls(requests[from]), ...empties.map((one) => one[from])];
      assert(bodies.length > 10, `${bodies.length}`);
      for (const body of bodies) {
        const response = await fetch(gateway.base + paths[from], {
          method: "POST",
          headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        const where = `${response.status} ${text.slice(0, 300)} for ${
          JSON.stringify(body).slice(-600)
        }`;
        assert([200, 400].includes(response.status), where);
      }
      if (from === to) return;
      for (const { body } of upstream.seen) {
        assert(!holdsNull(JSON.parse(body)), `a null was sent on: ${body.slice(-600)}`);
      }
    });

    Deno.test(`null entries in an answer of ${from} to a caller of ${to}: an answer or a 502, whole and streamed`, async () => {
      const wholes = withNulls(wholeAnswers[from]);
      const events = streamOf(from, wholeAnswers[from]);
      const streams = events.flatMap((event, at) =>
        event.data.startsWith("{")
          ? withNulls(JSON.parse(event.data)).map((data) =>
            events.with(at, { ...event, data: JSON.stringify(data) })
          )
          : []
      );
      const tryOut = async (stream: boolean, answer: () => Response) => {
        await using upstream = startUpstream(answer);
        await using gateway = await startGateway(oneUpstream({ [from]: upstream.base }));
        const response = await ask(gateway, to, { ...plainRequest, stream });
        const text = await response.text().catch(String); // generate-content breaks off behind an error
        assert([200, 502].includes(response.status), text);
        assert(!text.includes("internal_error"), text);
        const [row] = await rowsOf(gateway);
        assert(row.errorCode !== "internal_error");
      };
      for (const body of wholes) await tryOut(false, () => Response.json(body));
      for (const stream of streams) {
        await tryOut(true, () =>
          new Response(pieces(stream.map(sseText)), {
            headers: { "content-type": "text/event-stream" },
          }));
      }
    });
  }
}
