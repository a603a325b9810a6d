import {
  type ErrorCode,
  type FormatName,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Note,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { type Answered, converted } from "../answers/law.ts";
import { upstreamModels } from "../requests/upstream_models.ts";

/** A request or an answer as the other side gets it. */
export interface Conversion {
  /** The code of the refusal or the error instead, if there is one. */
  readonly code?: ErrorCode;
  /** The body, or the events. */
  readonly sent?: JsonValue;
  readonly notes: readonly string[];
}

const pathOf = {
  "chat-completions": "/chat/completions",
  responses: "/responses",
  messages: "/v1/messages",
  "generate-content": "/models/m:generateContent",
} as const satisfies Record<FormatName, string>;

export function convertedRequest(body: JsonObject, from: FormatName, to: FormatName): Conversion {
  return orRefused(() => {
    const decoded = codecs[from].decodeRequest({
      path: pathOf[from],
      search: {},
      headers: {},
      body,
    });
    const { request, notes } = repairTurns({ ...decoded, model: upstreamModels[to] });
    const encoded = encodeAtOnce(codecs[to], request);
    return { sent: sorted(plain(encoded.wire.body)), notes: textsOf([...notes, ...encoded.notes]) };
  });
}

export function convertedAnswer(answered: Answered, to: FormatName): Conversion {
  return orRefused(() => {
    const { sent, notes } = converted(answered, to);
    return { sent: sorted(plain(sent)), notes: textsOf(notes) };
  });
}

function textsOf(notes: readonly Note[]): string[] {
  return notes.map(({ path, action, reason }) => `${action} ${path}: ${reason}`).sort();
}

function orRefused(convert: () => Conversion): Conversion {
  try {
    return convert();
  } catch (error) {
    if (error instanceof GatewayError && error.code !== "internal_error") {
      return { code: error.code, notes: [] };
    }
    throw error;
  }
}

function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

/** The order of members says nothing. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1);
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner ?? null)]));
}
