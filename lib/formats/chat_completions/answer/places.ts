import type { JsonValue } from "../../../canonical/mod.ts";
import type { AnswerPlaces } from "../../answer/places.ts";
import { harmless, type HarmlessFields } from "../../native.ts";
import { objectOf, objectsOf, statesOnly } from "../../wire_value.ts";

/** An answer's message. Routers of this format add images beside its text. */
export const answerPlaces: AnswerPlaces = {
  media: { image: ["base64", "url"], audio: ["base64"], video: [], file: [] },
  transcripts: true,
  textProofs: 1,
  addresses: true,
  alternatives: true,
  objectArguments: false,
  pauses: false,
  refusals: true,
  stopSequences: false,
  regions: false,
  audioTypes: false,
  logprobs: ["text", "refusal"],
  tokenBytes: true,
  tokenIds: false,
};

/** Members that name the serving provider; the call's row keeps them as far as they matter. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("service_tier", "provider", "native_finish_reason"),
  ...harmless("x_groq", "time_info", "stats", "gen_id", "seed"),
  prompt_filter_results: (value) =>
    objectsOf(value).every(({ content_filter_results }) => filtersNothing(content_filter_results)),
  content_filter_results: filtersNothing,
  message: (value) => statesOnly(objectOf(value), ["prefix"]),
};

/** Returns true if Azure's filter let the whole answer pass (2026-11). */
function filtersNothing(results: JsonValue | undefined): boolean {
  return Object.values(objectOf(results)).every((result) => objectOf(result).filtered !== true);
}
