import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";
import { objectOf, put } from "../wire_value.ts";
import { opaque } from "./spelling.ts";

/**
 * Names of enum values by their numbers, which proto3 JSON accepts and some clients and servers
 * write: the numbers of google.ai.generativelanguage.v1beta (the vendor's public endpoint) and of
 * google.cloud.aiplatform v1 and v1beta1 (its cloud), as of 2026-11.
 */
type Names = Readonly<Record<number, string>>;

const modalities = { 0: "MODALITY_UNSPECIFIED", 1: "TEXT", 2: "IMAGE" } as const;

const resolutions: Names = {
  0: "MEDIA_RESOLUTION_UNSPECIFIED",
  1: "MEDIA_RESOLUTION_LOW",
  2: "MEDIA_RESOLUTION_MEDIUM",
  3: "MEDIA_RESOLUTION_HIGH",
  4: "MEDIA_RESOLUTION_ULTRA_HIGH",
};

const thresholds: Names = {
  0: "HARM_BLOCK_THRESHOLD_UNSPECIFIED",
  1: "BLOCK_LOW_AND_ABOVE",
  2: "BLOCK_MEDIUM_AND_ABOVE",
  3: "BLOCK_ONLY_HIGH",
  4: "BLOCK_NONE",
  5: "OFF",
};

/** By member, or by the object that holds a `mode` or a `level`. */
const names: ReadonlyMap<string, Names> = new Map(Object.entries<Names>({
  type: {
    0: "TYPE_UNSPECIFIED",
    1: "STRING",
    2: "NUMBER",
    3: "INTEGER",
    4: "BOOLEAN",
    5: "ARRAY",
    6: "OBJECT",
    7: "NULL",
  },
  /**
   * The two protos differ: 1 to 6 are the cloud's. The public endpoint has categories of an older
   * model there, which this method refuses, and the same ones as the cloud from 7 on.
   */
  category: {
    0: "HARM_CATEGORY_UNSPECIFIED",
    1: "HARM_CATEGORY_HATE_SPEECH",
    2: "HARM_CATEGORY_DANGEROUS_CONTENT",
    3: "HARM_CATEGORY_HARASSMENT",
    4: "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    5: "HARM_CATEGORY_CIVIC_INTEGRITY",
    6: "HARM_CATEGORY_JAILBREAK",
    7: "HARM_CATEGORY_HARASSMENT",
    8: "HARM_CATEGORY_HATE_SPEECH",
    9: "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    10: "HARM_CATEGORY_DANGEROUS_CONTENT",
    11: "HARM_CATEGORY_CIVIC_INTEGRITY",
  },
  threshold: thresholds,
  overwrittenThreshold: thresholds,
  method: { 0: "HARM_BLOCK_METHOD_UNSPECIFIED", 1: "SEVERITY", 2: "PROBABILITY" },
  probability: {
    0: "HARM_PROBABILITY_UNSPECIFIED",
    1: "NEGLIGIBLE",
    2: "LOW",
    3: "MEDIUM",
    4: "HIGH",
  },
  severity: {
    0: "HARM_SEVERITY_UNSPECIFIED",
    1: "HARM_SEVERITY_NEGLIGIBLE",
    2: "HARM_SEVERITY_LOW",
    3: "HARM_SEVERITY_MEDIUM",
    4: "HARM_SEVERITY_HIGH",
  },
  /** `VALIDATED` is 4 at the public endpoint and 5 in the cloud; neither has another value there. */
  functionCallingConfig: {
    0: "MODE_UNSPECIFIED",
    1: "AUTO",
    2: "ANY",
    3: "NONE",
    4: "VALIDATED",
    5: "VALIDATED",
  },
  dynamicRetrievalConfig: { 0: "MODE_UNSPECIFIED", 1: "MODE_DYNAMIC" },
  /** A setting counts audio as 3, a count of tokens as 4. */
  responseModalities: { ...modalities, 3: "AUDIO" },
  modality: { ...modalities, 3: "VIDEO", 4: "AUDIO", 5: "DOCUMENT" },
  /** A setting, or the level within a part's. */
  mediaResolution: resolutions,
  thinkingLevel: {
    0: "THINKING_LEVEL_UNSPECIFIED",
    1: "LOW",
    2: "MEDIUM",
    3: "HIGH",
    4: "MINIMAL",
  },
  behavior: { 0: "UNSPECIFIED", 1: "BLOCKING", 2: "NON_BLOCKING" },
  scheduling: { 0: "SCHEDULING_UNSPECIFIED", 1: "SILENT", 2: "WHEN_IDLE", 3: "INTERRUPT" },
  language: { 0: "LANGUAGE_UNSPECIFIED", 1: "PYTHON" },
  outcome: {
    0: "OUTCOME_UNSPECIFIED",
    1: "OUTCOME_OK",
    2: "OUTCOME_FAILED",
    3: "OUTCOME_DEADLINE_EXCEEDED",
  },
  environment: { 0: "ENVIRONMENT_UNSPECIFIED", 1: "ENVIRONMENT_BROWSER" },
  personGeneration: {
    0: "PERSON_GENERATION_UNSPECIFIED",
    1: "ALLOW_ALL",
    2: "ALLOW_ADULT",
    3: "ALLOW_NONE",
  },
  modelRoutingPreference: {
    0: "UNKNOWN",
    1: "PRIORITIZE_QUALITY",
    2: "BALANCED",
    3: "PRIORITIZE_COST",
  },
  featureSelectionPreference: {
    0: "FEATURE_SELECTION_PREFERENCE_UNSPECIFIED",
    1: "PRIORITIZE_QUALITY",
    2: "BALANCED",
    3: "PRIORITIZE_COST",
  },
  blockingConfidence: {
    0: "PHISH_BLOCK_THRESHOLD_UNSPECIFIED",
    30: "BLOCK_LOW_AND_ABOVE",
    40: "BLOCK_MEDIUM_AND_ABOVE",
    50: "BLOCK_HIGH_AND_ABOVE",
    55: "BLOCK_HIGHER_AND_ABOVE",
    60: "BLOCK_VERY_HIGH_AND_ABOVE",
    100: "BLOCK_ONLY_EXTREMELY_HIGH",
  },
  urlRetrievalStatus: {
    0: "URL_RETRIEVAL_STATUS_UNSPECIFIED",
    1: "URL_RETRIEVAL_STATUS_SUCCESS",
    2: "URL_RETRIEVAL_STATUS_ERROR",
    3: "URL_RETRIEVAL_STATUS_PAYWALL",
    4: "URL_RETRIEVAL_STATUS_UNSAFE",
  },
  trafficType: {
    0: "TRAFFIC_TYPE_UNSPECIFIED",
    1: "ON_DEMAND",
    2: "PROVISIONED_THROUGHPUT",
    3: "ON_DEMAND_PRIORITY",
    4: "ON_DEMAND_FLEX",
  },
  /** The numbers of the tiers are in neither proto, so each is its own name, which has no price. */
  serviceTier: { 0: "unspecified" },
  finishReason: {
    0: "FINISH_REASON_UNSPECIFIED",
    1: "STOP",
    2: "MAX_TOKENS",
    3: "SAFETY",
    4: "RECITATION",
    5: "OTHER",
    6: "LANGUAGE",
    7: "BLOCKLIST",
    8: "PROHIBITED_CONTENT",
    9: "SPII",
    10: "MALFORMED_FUNCTION_CALL",
    11: "IMAGE_SAFETY",
    12: "UNEXPECTED_TOOL_CALL",
    13: "TOO_MANY_TOOL_CALLS",
    14: "IMAGE_PROHIBITED_CONTENT",
    15: "IMAGE_OTHER",
    16: "NO_IMAGE",
    17: "IMAGE_RECITATION",
  },
  blockReason: {
    0: "BLOCK_REASON_UNSPECIFIED",
    1: "SAFETY",
    2: "OTHER",
    3: "BLOCKLIST",
    4: "PROHIBITED_CONTENT",
    5: "IMAGE_SAFETY",
  },
}));

/** The numbers for which the cloud's proto has other names than the public endpoint's. */
const cloudNames: Readonly<Record<string, Names>> = {
  finishReason: {
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
    10: "MODEL_ARMOR",
  },
  blockReason: { 5: "MODEL_ARMOR", 6: "JAILBREAK" },
};

/** Only the cloud states when an answer was made and the traffic that it counts as. */
function isOfCloud({ createTime, usageMetadata }: JsonObject): boolean {
  return (createTime ?? objectOf(usageMetadata).trafficType ?? undefined) !== undefined;
}

/**
 * A request or an answer with the names of its enums. Numbers that neither proto has become text,
 * as names of tomorrow are. A reason that states none is absent: clients of protobuf print it on
 * every unfinished chunk.
 */
export function withEnumNames(wire: JsonObject): JsonObject {
  return named(wire, { holder: "", cloud: isOfCloud(wire), depth: 0 });
}

interface Place {
  /** The member that holds the object. */
  readonly holder: string;
  readonly cloud: boolean;
  readonly depth: number;
}

/** Maximum depth of reading: only a hostile body or a caller's own data is deeper. */
const depthMax = 64;

/** The object itself if nothing in it changes, as in nearly all. */
function named(object: JsonObject, place: Place): JsonObject {
  let copy: Record<string, JsonValue> | undefined;
  for (const key in object) {
    const value = object[key];
    const read = namedValue(value, key, place);
    if (read === value || read === undefined) continue;
    put(copy ??= { ...object } as Record<string, JsonValue>, key, read); // sound: a copy of JSON
  }
  return copy ?? object;
}

function namedValue(value: JsonValue | undefined, key: string, place: Place) {
  if (typeof value === "string") return isUnstated(value, key) ? null : value;
  if (typeof value === "number") return nameOf(value, key, place);
  if (typeof value !== "object" || value === null) return value;
  return opaque.has(key) || place.depth > depthMax ? value : namedWithin(value, key, place);
}

function namedWithin(value: JsonObject | readonly JsonValue[], key: string, place: Place) {
  const inner = { holder: key, cloud: place.cloud, depth: place.depth + 1 };
  if (isJsonObject(value)) return named(value, inner);
  let copy: JsonValue[] | undefined;
  for (const [at, item] of value.entries()) {
    const read = isJsonObject(item) ? named(item, inner) : nameIn(item, key, place);
    if (read !== item) (copy ??= [...value])[at] = read;
  }
  return copy ?? value;
}

function nameIn(item: JsonValue, key: string, place: Place): JsonValue {
  return typeof item === "number" ? nameOf(item, key, place) : item;
}

function nameOf(number: number, key: string, { holder, cloud }: Place): JsonValue {
  const member = key === "mode" || key === "level" ? holder : key;
  const known = names.get(member);
  if (!known || !Number.isInteger(number)) return number;
  const name = (cloud && cloudNames[member]?.[number]) || known[number] || String(number);
  return isUnstated(name, key) ? null : name;
}

function isUnstated(name: string, key: string): boolean {
  return (key === "finishReason" || key === "blockReason") && name.endsWith("_UNSPECIFIED");
}
