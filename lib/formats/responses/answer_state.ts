import type { JsonObject } from "../../canonical/mod.ts";
import type { ServerSentEvent } from "../codec.ts";
import type { AnswerReader, AnswerTold } from "../state_codec.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { hasFailed } from "./response.ts";

/** What a response object says of the state that it stands in. */
export function toldMembers(
  { id, store, previousId, conversationId, background }: AnswerTold,
): JsonObject {
  return {
    ...(id !== undefined && { id }),
    store,
    background,
    previous_response_id: previousId ?? null,
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
  };
}

/** The events that bear the whole response object, and whether they are its end. */
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

/** Reads a response out of its events, which are parsed only where they bear it. */
export class AnswerStateReader implements AnswerReader {
  readonly #told: JsonObject;
  /** The data of the items that are done, for an end that does not repeat them. */
  readonly #done: string[] = [];
  #answer?: JsonObject;
  #latest?: JsonObject;

  constructor(told: AnswerTold) {
    this.#told = toldMembers(told);
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
    if (isEnd === undefined) return event;
    const wire = objectIn(event.data);
    if (!wire) return event;
    const response = { ...objectOf(wire.response), ...this.#told };
    const stated = isEnd ? this.whole(this.#complete(response)) : response;
    this.#latest = stated;
    return { ...event, data: JSON.stringify({ ...wire, response: stated }) };
  }

  whole(body: JsonObject): JsonObject {
    const stated = { ...body, ...this.#told };
    this.#latest = stated;
    if (!hasFailed(stated)) this.#answer = stated;
    return stated;
  }

  /** Clients read the answer from its end alone, which some servers leave empty. */
  #complete(response: JsonObject): JsonObject {
    if (this.#done.length === 0 || objectsOf(response.output).length > 0) return response;
    const items = this.#done.map((data) => objectOf(objectIn(data)?.item));
    return hasFailed(response) ? response : { ...response, output: items };
  }
}

function typeOf({ event, data }: ServerSentEvent): string {
  if (event !== undefined && event !== "message") return event;
  const said = /"type"\s*:\s*"(response\.[\w.]*)"/.exec(data.slice(0, typeCharsMax))?.[1] ?? "";
  return whole.has(said) || said === "" ? textOf(objectIn(data)?.type) : said;
}

/** The type of an event stands before what it bears; where it does not, the event is parsed. */
const typeCharsMax = 200;
