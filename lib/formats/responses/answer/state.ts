import { isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { memberText, withMember, withMembers } from "../../../json/mod.ts";
import type { AnswerReader, ReportedState } from "../../state_codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectIn, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { lateEvent } from "../error.ts";
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
  /** The events of the finished items, for a final event that does not repeat them. */
  readonly #done: ServerSentEvent[] = [];
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

  /** The finished items. */
  get items(): readonly JsonObject[] {
    return this.#done.map((event) => objectOf(valueOf(event)?.item));
  }

  push(event: ServerSentEvent): ServerSentEvent {
    const type = typeOf(event);
    if (type === "response.output_item.done") this.#done.push(event);
    const isEnd = whole.get(type);
    const response = isEnd === undefined ? undefined : valueOf(event)?.response;
    if (!isJsonObject(response)) return event;
    const changes = { ...this.#corrections(response), ...(isEnd && this.#items(response)) };
    this.#note({ ...response, ...changes }, isEnd === true);
    if (isEmpty(changes)) return event;
    if (event.value) return lateEvent({ ...event.value, response: changed(response, changes) });
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
    return { output: this.items };
  }
}

export function valueOf(event: ServerSentEvent): JsonObject | undefined {
  return event.value ?? objectIn(event.data);
}

/** The same object as `withMembers` writes: new members come first. */
function changed(response: JsonObject, changes: JsonObject): JsonObject {
  const added = Object.entries(changes).filter(([name]) => !Object.hasOwn(response, name));
  return { ...Object.fromEntries(added.reverse()), ...response, ...changes };
}

export function typeOf(event: ServerSentEvent): string {
  if (event.event !== undefined && event.event !== "message") return event.event;
  const { data } = event;
  const said = /"type"\s*:\s*"(response\.[\w.]*)"/.exec(data.slice(0, typeCharsMax))?.[1] ?? "";
  return whole.has(said) || said === "" ? textOf(objectIn(data)?.type) : said;
}

/**
 * The characters in which an event's type is searched for; without it there, the event is parsed.
 */
const typeCharsMax = 200;
