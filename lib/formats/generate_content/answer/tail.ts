import type { JsonObject } from "../../../canonical/mod.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { hasNoContent } from "../content.ts";

/**
 * Trims the events after a candidate's finish reason. Passes usage, sources, other members, and an
 * empty text with a signature. Drops further content, a second finish reason and repeated usage
 * beside them: clients take the last chunk for the end.
 */
export class Tail {
  readonly #finished = new Set<unknown>();
  #statesUsage = false;
  readonly #parse: (data: string) => JsonObject;

  constructor(parse: (data: string) => JsonObject) {
    this.#parse = parse;
  }

  /** Returns the same event, a reduced one, or undefined. */
  push(event: ServerSentEvent): ServerSentEvent | undefined {
    const chunk = this.#parse(event.data);
    const candidates = objectsOf(chunk.candidates);
    const kept = candidates.flatMap((candidate) => this.#candidate(candidate));
    const isWhole = kept.length === candidates.length &&
      kept.every((candidate, at) => candidate === candidates[at]);
    const known = this.#statesUsage ? ["usageMetadata"] : [];
    this.#statesUsage ||= chunk.usageMetadata !== undefined;
    if (isWhole) return event;
    const rest = restOf(chunk, ["candidates", ...known]);
    if (kept.length > 0) return { ...event, data: JSON.stringify({ ...rest, candidates: kept }) };
    return saysMore(rest) ? { ...event, data: JSON.stringify(rest) } : undefined;
  }

  #candidate(candidate: JsonObject): readonly JsonObject[] {
    const { index = 0, finishReason, content } = candidate;
    const ends = textOf(finishReason) !== "";
    if (!this.#finished.has(index)) {
      if (ends) this.#finished.add(index);
      return [candidate];
    }
    const parts = objectsOf(objectOf(content).parts);
    const speaks = !parts.every(hasNoContent);
    if (!ends && !speaks) return [candidate];
    const proves = !speaks && parts.some(({ thoughtSignature }) => textOf(thoughtSignature) !== "");
    const rest = restOf(candidate, ["finishReason", ...(proves ? [] : ["content"])]);
    return isEmpty(restOf(rest, ["index"])) ? [] : [rest];
  }
}

/** Returns true if a chunk contains more than its identity. */
function saysMore(chunk: JsonObject): boolean {
  return !isEmpty(restOf(chunk, ["modelVersion", "responseId", "createTime"]));
}
