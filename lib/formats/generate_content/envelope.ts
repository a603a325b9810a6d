import { isJsonObject, type JsonObject, type VendorState } from "../../canonical/mod.ts";
import { isListIn, readMemberText, type ReadText, withReadMember } from "../../json/mod.ts";
import type { AnswerBounds, Envelope, PromptParts } from "../codec.ts";
import { answerBounds, conversationOf, thinkingBound, withLimit } from "../request/envelope.ts";
import { partsOf } from "../request/prompt_parts.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { format } from "./native.ts";

/** The model and the verb in the address of a request; the body never names the model. */
interface Address {
  readonly model: string;
  readonly verb: string;
}

export const streamVerb = "streamGenerateContent";

/** Reads the routing data of a request. A stream is a growing JSON array unless the address has `alt=sse`. */
export function envelope(wire: WireRequest): Envelope {
  const { model, verb } = addressOf(wire.path);
  const stream = verb === streamVerb;
  const holder = isCollectionIn(wire.body) || verb !== "countTokens"
    ? wire.body
    : innerOf(wire.body);
  if (!isCollectionIn(holder)) throw refused("contents", "must be an array of contents");
  const bounds = boundsIn(wire.body);
  return {
    model,
    conversation: () => conversationOf(undefined, holder, "contents"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    thinkingTokens: bounds.thinkingTokens,
    vendorState: vendorStateIn(wire.body),
    stream,
    framing: stream && wire.search.alt !== "sse" ? "json-array" : "sse",
  };
}

/** Reads the cached parts of a request, in either spelling. Each declared function is a tool. */
export function promptParts(body: JsonObject): PromptParts {
  const tools = objectsOf(body.tools).flatMap((tool) => {
    const declared = listOf(tool.functionDeclarations ?? tool.function_declarations);
    return declared.length > 0 ? declared : [tool];
  });
  const turns = isJsonObject(body.contents) ? [body.contents] : listOf(body.contents);
  return partsOf(tools, turns, [body.systemInstruction ?? body.system_instruction]);
}

/**
 * Reads `/models/MODEL:verb`. The model may hold `/ : . @`, raw or percent-encoded, so the verb is
 * what follows the last colon.
 */
export function addressOf(path: string): Address {
  const rest = path.startsWith("/models/") ? path.slice("/models/".length) : "";
  const colon = rest.lastIndexOf(":");
  const model = unescaped(colon < 0 ? rest : rest.slice(0, colon));
  if (model === "") throw refused("model", "must be named in the address");
  return { model, verb: colon < 0 ? "" : rest.slice(colon + 1) };
}

export function pathOf({ model, verb }: Address): string {
  return `/models/${encodeURIComponent(model)}:${verb}`;
}

const configNames = ["generationConfig", "generation_config"] as const;
const limitNames = ["maxOutputTokens", "max_output_tokens"] as const;
const countNames = ["candidateCount", "candidate_count"] as const;

/** Both spellings of proto3 JSON. */
export const boundMembers: AnswerBounds = {
  members: configNames,
  within: [...limitNames, ...countNames],
};

/** The largest value under all spellings counts, since an upstream may read any of them. */
function boundsIn(body: JsonObject) {
  const configs = configNames.map((name) => objectOf(body[name]));
  const thinking = configs.flatMap(({ thinkingConfig, thinking_config }) =>
    [thinkingConfig, thinking_config].map(objectOf)
  );
  return {
    ...answerBounds(valuesOf(configs, limitNames), valuesOf(configs, countNames)),
    thinkingTokens: thinkingBound(valuesOf(thinking, ["thinkingBudget", "thinking_budget"])),
  };
}

function valuesOf(objects: readonly JsonObject[], names: readonly string[]) {
  return objects.flatMap((object) => names.map((name) => object[name]));
}

/** Sets the limit in every configuration present, in both spellings. */
export function withOutputLimit(read: ReadText, tokens: number): ReadText {
  const said = configNames.filter((name) => isJsonObject(read.body[name]));
  const set = said.length > 0 ? said : [configNames[0]];
  return set.reduce((changed, name) => withConfigLimit(changed, name, tokens), read);
}

function withConfigLimit(read: ReadText, name: string, tokens: number): ReadText {
  const config = read.body[name];
  const inner = isJsonObject(config)
    ? { text: readMemberText(read, name) ?? "{}", body: config }
    : { text: "{}", body: {} };
  const names = { all: limitNames, unstated: limitNames[0] };
  const { text: written, body: value } = withLimit(inner, names, tokens);
  return withReadMember(read, name, { value, written });
}

/** The request that a count of tokens may wrap. */
function innerOf({ generateContentRequest, generate_content_request }: JsonObject): JsonObject {
  return objectOf(
    isJsonObject(generateContentRequest) ? generateContentRequest : generate_content_request,
  );
}

/** Proto3 JSON readers accept a single object instead of a list, and the vendor's own examples use it. */
function isCollectionIn(body: JsonObject): boolean {
  return isListIn(body, "contents") || isJsonObject(body.contents);
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The cached content that a request names, in either spelling of proto3 JSON. */
export function vendorStateIn(body: JsonObject): VendorState | undefined {
  const name = textOf(body.cachedContent ?? body.cached_content);
  return name === "" ? undefined : { kind: "stored-prompt", format, param: "cachedContent" };
}
