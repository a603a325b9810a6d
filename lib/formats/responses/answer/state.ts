import {
  isJsonObject,
  type JsonObject,
  memberText,
  withMember,
  withMembers,
} from "../../../canonical/mod.ts";
import type { AnswerReader, ReportedState } from "../../state_codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { hasFailed } from "./response.ts";

/** The members of a response object that describe its stored state. */
export function reportedMembers(
  { id, store, previousId, conversationId, background }: ReportedState,
): JsonObject {
  return {
    ...(id !== undefined && { id }),
    store,
    background,
    previous_response_id: previousId ?? null,
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
  };
}

/** The events that contain the whole response object; true for those that end the stream. */
const whole = new Map([
  ["response.created", false],
  ["response.queued", false],
  ["response.in_progress", false],
  ["response.completed", true],
  ["response.done", true],
  ["response.incomplete", true],
  ["response.failed", true],
  ["response.cancelled", true],
]);

/** Reads a response from its events; parses only events that contain the response object. */
export class AnswerStateReader implements AnswerReader {
  readonly #reported: ReportedState;
  /** The data of the finished items, for a final event that does not repeat them. */
  readonly #done: string[] = [];
  #answer?: JsonObject;
  #latest?: JsonObject;

  constructor(reported: ReportedState) {
    this.#reported = reported;
  }

  get answer(): JsonObject | undefined {
    return this.#answer;
  }

  get latest(): JsonObject | undefined {
    return this.#latest;
  }

  push(event: ServerSentEvent): ServerSentEvent {
    const type = typeOf(event);
    if (type === "response.output_item.done") this.#done.push(event.data);
    const isEnd = whole.get(type);
    const response = isEnd === undefined ? undefined : objectIn(event.data)?.response;
    if (!isJsonObject(response)) return event;
    const changes = { ...this.#corrections(response), ...(isEnd && this.#items(response)) };
    this.#note({ ...response, ...changes }, isEnd === true);
    if (isEmpty(changes)) return event;
    const stated = withMembers(memberText(event.data, "response") ?? "{}", changes);
    return { ...event, data: withMember(event.data, "response", stated) };
  }

  whole(body: JsonObject): JsonObject {
    const changes = this.#corrections(body);
    this.#note({ ...body, ...changes }, true);
    return changes;
  }

  #note(response: JsonObject, isEnd: boolean): void {
    this.#latest = response;
    if (isEnd && !hasFailed(response)) this.#answer = response;
  }

  /** The members that the upstream could not know: it was asked to store nothing and got the whole history. */
  #corrections(response: JsonObject): JsonObject {
    const { store, previousId, conversationId, background, id } = this.#reported;
    return {
      ...(typeof response.store === "boolean" && response.store !== store && { store }),
      ...(previousId !== undefined && { previous_response_id: previousId }),
      ...(conversationId !== undefined && { conversation: { id: conversationId } }),
      ...(background && { background }),
      ...(id !== undefined && { id }),
    };
  }

  /** Clients read the output from the final event, which some servers leave empty. */
  #items(response: JsonObject): { output?: readonly JsonObject[] } {
    const isWhole = this.#done.length === 0 || objectsOf(response.output).length > 0;
    if (isWhole || hasFailed(response)) return {};
    return { output: this.#done.map((data) => objectOf(objectIn(data)?.item)) };
  }
}

function typeOf({ event, data }: ServerSentEvent): string {
  if (event !== undefined && event !== "message") return event;
  const said = /"type"\s*:\s*"(response\.[\w.]*)"/.exec(data.slice(0, typeCharsMax))?.[1] ?? "";
  return whole.has(said) || said === "" ? textOf(objectIn(data)?.type) : said;
}

/**
 * The characters in which an event's type is searched for; without it there, the event is parsed.
 */
const typeCharsMax = 200;
