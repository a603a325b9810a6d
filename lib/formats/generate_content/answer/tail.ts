import type { JsonObject } from "../../../canonical/mod.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { hasNoContent } from "../content.ts";

/**
 * Trims the events behind a candidate's finish reason. Usage, sources and other members, and an
 * empty text with a proof go out. Further content, a second finish reason and usage that is only repeated beside them go to
 * no caller: clients take the last chunk for the end.
 */
export class Tail {
  readonly #finished = new Set<unknown>();
  #statesUsage = false;
  readonly #parse: (data: string) => JsonObject;

  constructor(parse: (data: string) => JsonObject) {
    this.#parse = parse;
  }

  /** The same event, one without what a finished candidate cannot say, or nothing. */
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

/** Whether a chunk says anything beside its identity. */
function saysMore(chunk: JsonObject): boolean {
  return !isEmpty(restOf(chunk, ["modelVersion", "responseId", "createTime"]));
}
