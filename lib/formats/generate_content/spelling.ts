import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";

/**
 * Normalises a request to the spelling that the rest of this folder reads. Proto3 JSON accepts
 * `snake_case` beside `camelCase` and a single object instead of a list; real clients send all of
 * them.
 */
export function normalised(body: JsonObject): JsonObject {
  const { systemInstruction, ...rest } = respelled(body, 0);
  if (systemInstruction === undefined) return rest;
  return {
    ...rest,
    systemInstruction: typeof systemInstruction === "string"
      ? { parts: [{ text: systemInstruction }] }
      : systemInstruction,
  };
}

/** Maximum depth of renaming: only a hostile body or a caller's own data is deeper. */
const depthMax = 64;

function respelled(object: JsonObject, depth: number): JsonObject {
  const entries: [string, JsonValue | undefined][] = [];
  for (const [key, value] of Object.entries(object)) {
    const name = nameOf(key);
    if (name !== key && name in object) continue; // both spellings: camelCase wins
    entries.push([name, valueOf(name, value, depth)]);
  }
  return Object.fromEntries(entries);
}

function valueOf(name: string, value: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (callersOwnMembers.has(name) || depth > depthMax) return value;
  if (name === "properties" && isJsonObject(value)) return eachValue(value, depth + 1);
  if (isJsonObject(value)) {
    const inner = respelled(value, depth + 1);
    return repeated.has(name) ? [inner] : inner;
  }
  if (!Array.isArray(value)) return value;
  return value.map((item) => isJsonObject(item) ? respelled(item, depth + 1) : item);
}

/** The keys of `properties` are the caller's names; only the schemas under them are renamed. */
function eachValue(map: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [
      key,
      isJsonObject(value) ? respelled(value, depth) : value,
    ]),
  );
}

function nameOf(key: string): string {
  if (!key.includes("_")) return key;
  const camelCase = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return knownNames.has(camelCase) ? camelCase : key;
}

/** Members whose value is the caller's own data: its keys are never renamed. */
export const callersOwnMembers: ReadonlySet<string> = new Set([
  "args",
  "response",
  "parametersJsonSchema",
  "responseJsonSchema",
  "labels",
  "partMetadata",
  "default",
  "example",
  "enum",
]);

const repeated: ReadonlySet<string> = new Set([
  "contents",
  "parts",
  "tools",
  "functionDeclarations",
  "safetySettings",
]);

/** All wire names of two or more words; other keys stay unchanged. */
const knownNames: ReadonlySet<string> = new Set(
  [
    "systemInstruction toolConfig safetySettings generationConfig cachedContent serviceTier",
    "continuationToken modelArmorConfig generationOutputConfig generateContentRequest",
    "topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty",
    "responseLogprobs responseMimeType responseSchema responseJsonSchema responseFormat",
    "responseModalities mediaResolution speechConfig imageConfig audioTranscriptionConfig",
    "translationConfig enableEnhancedCivicAnswers thinkingConfig routingConfig",
    "modelSelectionConfig audioTimestamp includeThoughts thinkingBudget thinkingLevel",
    "inlineData fileData mimeType displayName fileUri functionCall functionResponse",
    "executableCode codeExecutionResult toolCall toolResponse toolType audioTranscription",
    "thoughtSignature videoMetadata startOffset endOffset numTokens mediaProcessing partMetadata",
    "speechMetadata willContinue partialArgs functionDeclarations parametersJsonSchema",
    "googleSearch urlContext codeExecution googleMaps fileSearch computerUse mcpServers",
    "googleSearchRetrieval enterpriseWebSearch timeRangeFilter startTime endTime searchTypes",
    "excludeDomains fileSearchStoreNames metadataFilter excludedPredefinedFunctions",
    "functionCallingConfig retrievalConfig includeServerSideToolInvocations",
    "allowedFunctionNames streamFunctionCallArguments languageCode latLng voiceConfig",
    "prebuiltVoiceConfig voiceName multiSpeakerVoiceConfig speakerVoiceConfigs aspectRatio",
    "imageSize personGeneration propertyOrdering minItems maxItems minLength maxLength",
    "minProperties maxProperties anyOf",
  ].join(" ").split(" "),
);

/** A number; proto3 JSON writes 64-bit ones as strings. */
export function protoNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A count of tokens or calls: never negative, fractional or infinite. */
export function protoCount(value: unknown): number {
  return Math.max(0, Math.trunc(protoNumber(value) ?? 0));
}
