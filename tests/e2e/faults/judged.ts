import { type CanonicalEvent, type FormatName, isJsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { streamValidators } from "../../formats/validators/mod.ts";

/** A response as a client of its format reads it. */
export interface Judged {
  /** A proper answer, an error instead of one, or an error in the middle of a stream. */
  readonly type: "completes" | "fails" | "breaks";
  /** The answer's text, as far as it came. */
  readonly text: string;
  /** Violations of its format; empty if it is valid. */
  readonly problems: readonly string[];
}

/** The marks of a proper end, which a broken stream must not contain. */
const endMarks: Readonly<Record<FormatName, RegExp>> = {
  "chat-completions": /\[DONE\]|"finish_reason":"/,
  responses: /response\.completed|response\.incomplete/,
  messages: /message_stop/,
  "generate-content": /"finishReason":"/,
};

export function judgeStream(format: FormatName, body: string): Judged {
  const codec = codecs[format];
  const validator = streamValidators[codec.name]();
  const decoder = codec.eventDecoder();
  const canonical: CanonicalEvent[] = [];
  const reader = new SseReader();
  for (const { event } of [...reader.push(new TextEncoder().encode(body)), ...reader.end()]) {
    if (!event) continue;
    validator.push(event);
    canonical.push(...decoder.push(event));
  }
  canonical.push(...decoder.end());
  const broke = canonical.at(-1)?.type === "error";
  const marked = broke && endMarks[format].test(body);
  return {
    type: broke ? "breaks" : "completes",
    text: canonical.map((event) => event.type === "part-delta" ? event.text : "").join(""),
    problems: [...validator.end(), ...(marked ? ["a broken stream bears the mark of an end"] : [])],
  };
}

export function judgeWhole(format: FormatName, body: string): Judged {
  const { alternatives } = codecs[format].decodeResponse(JSON.parse(body));
  const text = alternatives.flatMap(({ parts }) => parts)
    .map((part) => part.type === "text" ? part.text : "").join("");
  return { type: "completes", text, problems: [] };
}

/** Checks the members that only this format's errors have. */
const ownMembers: Readonly<Record<FormatName, (body: Body) => boolean>> = {
  "chat-completions": ({ error }) => "param" in error,
  responses: ({ error }) => "param" in error,
  messages: (body) => body.type === "error",
  "generate-content": ({ error }) => typeof error.status === "string",
};

type Body = Readonly<Record<string, unknown>> & {
  readonly error: Readonly<Record<string, unknown>>;
};

export function judgeError(format: FormatName, body: string, code: string | undefined): Judged {
  const parsed: unknown = JSON.parse(body);
  if (!isJsonObject(parsed) || !isJsonObject(parsed.error)) {
    return { type: "fails", text: "", problems: ["the body holds no error"] };
  }
  const { error } = parsed;
  const named = format === "generate-content" ? "reason" : "code"; // its code is the status
  const problems = ["message", "type", named, "request_id"]
    .filter((name) => typeof error[name] !== "string")
    .map((name) => `error.${name} is no string`);
  if (error[named] !== code) problems.push(`error.${named} is ${error[named]}, in the log ${code}`);
  if (!ownMembers[format]({ ...parsed, error })) problems.push("the error is of another format");
  return { type: "fails", text: "", problems };
}
