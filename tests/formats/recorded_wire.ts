import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/canonical/mod.ts";
import type { ServerSentEvent, WireRequest } from "../../lib/formats/wire.ts";
import { type Recording, recordingsOf } from "./recorded.ts";

/** The recordings of one case, by format. */
export type RecordedCase = Readonly<Partial<Record<FormatName, Recording>>>;

/** Every recorded case by its name. */
export function recordedCases(): Map<string, RecordedCase> {
  const all = formatNames.flatMap((format) => recordingsOf(format));
  return new Map(
    [...Map.groupBy(all, ({ name }) => name)].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, list]) => [name, Object.fromEntries(list.map((one) => [one.format, one]))]),
  );
}

/** Restores the wire form of a recorded body. */
export const wireOf: Readonly<
  Record<FormatName, (body: JsonObject, model: string) => WireRequest>
> = {
  "chat-completions": (body) => ({ path: "/chat/completions", search: {}, headers: {}, body }),
  responses: (body) => ({ path: "/responses", search: {}, headers: {}, body }),
  messages: (body) => ({
    path: "/v1/messages",
    search: {},
    headers: { "anthropic-version": "2023-06-01" },
    body,
  }),
  "generate-content": (body, model) => ({
    path: `/models/${model}:generateContent`,
    search: {},
    headers: {},
    body,
  }),
};

/** The model for a format in which a case was not recorded. */
const usualModels: Readonly<Record<FormatName, string>> = {
  "chat-completions": "gpt-5-nano",
  responses: "gpt-5-nano",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-flash",
};

/** The model of a recording. */
export function modelOf(format: FormatName, recording: Recording | undefined): string {
  const named = [
    member(recording?.files.request, "model"),
    member(recording?.files.response, "modelVersion"),
  ];
  return named.find((name) => typeof name === "string") ?? usualModels[format];
}

function member(value: JsonValue | undefined, name: string): string | undefined {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === "string" ? found : undefined;
}

/** The server-sent events that carried a recorded stream. */
export function eventsOfRecorded(
  format: FormatName,
  stream: readonly JsonObject[],
): ServerSentEvent[] {
  const named = format === "messages" || format === "responses";
  const events = stream.map((event): ServerSentEvent => ({
    ...(named && { event: String(event.type) }),
    data: JSON.stringify(event),
  }));
  return format === "chat-completions" ? [...events, { data: "[DONE]" }] : events;
}
