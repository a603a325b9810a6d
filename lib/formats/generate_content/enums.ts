import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";
import { setMember } from "../../json/mod.ts";
import { objectOf } from "../wire_value.ts";
import { callersOwnMembers } from "./spelling.ts";

/**
 * The names of enum values, in the order of their numbers: proto3 JSON accepts numbers, and some
 * clients and servers write them. As in google.ai.generativelanguage.v1beta (the vendor's public
 * endpoint) and google.cloud.aiplatform v1 and v1beta1 (its cloud), 2026-11. Enums that no conversion
 * reads keep their numbers.
 */
const namesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["type", words("TYPE_UNSPECIFIED STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL")],
  // The two protos differ: 1 to 6 are the cloud's. The public endpoint has categories of an older
  // model there, which this method refuses, and the same ones as the cloud from 7 on.
  [
    "category",
    words(
      "UNSPECIFIED HATE_SPEECH DANGEROUS_CONTENT HARASSMENT SEXUALLY_EXPLICIT CIVIC_INTEGRITY",
      "JAILBREAK HARASSMENT HATE_SPEECH SEXUALLY_EXPLICIT DANGEROUS_CONTENT CIVIC_INTEGRITY",
    ).map((name) => `HARM_CATEGORY_${name}`),
  ],
  [
    "threshold",
    words(
      "HARM_BLOCK_THRESHOLD_UNSPECIFIED BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE",
      "BLOCK_ONLY_HIGH BLOCK_NONE OFF",
    ),
  ],
  // `VALIDATED` is 4 at the public endpoint and 5 in the cloud; neither has another value there.
  ["functionCallingConfig.mode", words("MODE_UNSPECIFIED AUTO ANY NONE VALIDATED VALIDATED")],
  // A setting counts audio as 3, a count of tokens as 4.
  ["responseModalities", words("MODALITY_UNSPECIFIED TEXT IMAGE AUDIO")],
  ["modality", words("MODALITY_UNSPECIFIED TEXT IMAGE VIDEO AUDIO DOCUMENT")],
  ["thinkingLevel", words("THINKING_LEVEL_UNSPECIFIED LOW MEDIUM HIGH MINIMAL")],
  ["language", words("LANGUAGE_UNSPECIFIED PYTHON")],
  ["outcome", words("OUTCOME_UNSPECIFIED OUTCOME_OK OUTCOME_FAILED OUTCOME_DEADLINE_EXCEEDED")],
  [
    "trafficType",
    words(
      "TRAFFIC_TYPE_UNSPECIFIED ON_DEMAND PROVISIONED_THROUGHPUT ON_DEMAND_PRIORITY",
      "ON_DEMAND_FLEX",
    ),
  ],
  // The numbers of the tiers are in neither proto, so each is its own name, which has no price.
  ["serviceTier", words("unspecified")],
  [
    "finishReason",
    words(
      "FINISH_REASON_UNSPECIFIED STOP MAX_TOKENS SAFETY RECITATION OTHER LANGUAGE BLOCKLIST",
      "PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL IMAGE_SAFETY UNEXPECTED_TOOL_CALL",
      "TOO_MANY_TOOL_CALLS IMAGE_PROHIBITED_CONTENT IMAGE_OTHER NO_IMAGE IMAGE_RECITATION",
    ),
  ],
  [
    "blockReason",
    words("BLOCK_REASON_UNSPECIFIED SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT IMAGE_SAFETY"),
  ],
]);

/** The numbers for which the cloud's proto has other names than the public endpoint's. */
const cloudNames: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  finishReason: {
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
    10: "MODEL_ARMOR",
  },
  blockReason: { 5: "MODEL_ARMOR", 6: "JAILBREAK" },
};

function words(...lines: readonly string[]): readonly string[] {
  return lines.join(" ").split(" ");
}

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
    const read = value === undefined ? value : namedValue(value, key, place);
    if (read === value || read === undefined) continue;
    setMember(copy ??= { ...object } as Record<string, JsonValue>, key, read); // sound: a copy of JSON
  }
  return copy ?? object;
}

function namedValue(value: JsonValue, key: string, place: Place): JsonValue {
  if (typeof value === "string") return isUnstated(value, key) ? null : value;
  if (typeof value === "number") return nameOf(value, key, place);
  if (typeof value !== "object" || value === null) return value;
  const { holder, cloud, depth } = place;
  if (callersOwnMembers.has(key) || depth > depthMax) return value;
  if (isJsonObject(value)) return named(value, { holder: key, cloud, depth: depth + 1 });
  const items = value.map((item) => namedValue(item, key, { holder, cloud, depth: depth + 1 }));
  return items.every((item, at) => item === value[at]) ? value : items;
}

function nameOf(number: number, key: string, { holder, cloud }: Place): JsonValue {
  const member = key === "mode" ? `${holder}.mode` : key;
  const names = namesOf.get(member);
  if (!names || !Number.isInteger(number)) return number;
  const name = (cloud && cloudNames[member]?.[number]) || names[number] || String(number);
  return isUnstated(name, key) ? null : name;
}

function isUnstated(name: string, key: string): boolean {
  return (key === "finishReason" || key === "blockReason") && name.endsWith("_UNSPECIFIED");
}
