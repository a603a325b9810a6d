import {
  assertVendorStateFits,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import type { Steps } from "../../pace.ts";
import type { Dialect, EncodedRequest } from "../codec.ts";
import { assertContentFits, withFinalSettings } from "../request/fit.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { defined, isEmpty, objectOf, restOf, textOf, textOrNothing } from "../wire_value.ts";
import {
  decodeCache,
  encodeCache,
  fittingCacheMarks,
  withAutomaticBreakpoints,
  withoutAnswer,
} from "./cache.ts";
import { decodeSpelling, encodeHeaders } from "./headers.ts";
import { withMcpServers } from "./mcp.ts";
import { traitsOf } from "./models.ts";
import { format, mark, ownFields } from "./native.ts";
import { Notes } from "./notes.ts";
import { decodeOutput, encodeOutput, outputFormatOf } from "./output.ts";
import { contentOf } from "./part_encoder.ts";
import {
  decodeReasoning,
  encodeReasoning,
  isKnownEffort,
  isLoopWithoutThinking,
} from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { assertRequest } from "./schema.ts";
import {
  assertExpressible,
  decodeLimits,
  decodeSampling,
  decodeTier,
  encodeMaxTokens,
  encodeMetadata,
  encodeSampling,
  encodeServiceTier,
  noteDropped,
} from "./settings.ts";
import { choiceRest, decodeToolChoice, encodeToolChoice, forcesTool } from "./tool_choice.ts";
import { decodeTools, encodeTools } from "./tools.ts";
import { decodeConversation } from "./turn_decoder.ts";
import { encodeTexts, encodeTurns } from "./turn_encoder.ts";
import { vendorStateIn } from "./envelope.ts";

export const path = "/v1/messages";

/** A caller's request. Throws `invalid_request` that names the first wrong field. */
export function decodeRequest(wire: WireRequest): CanonicalRequest {
  return decode(wire, "generation");
}

/** The request of a token count, which has no output limit. */
export function decodeCountRequest(wire: WireRequest): CanonicalRequest {
  return decode(wire, "count");
}

/** The upstream's request. Throws `unsupported_parameter` if leaving out a member would change its meaning. */
export function* encodeRequest(whole: CanonicalRequest, dialect?: Dialect): Steps<EncodedRequest> {
  assertVendorStateFits(whole, format);
  const notes = new Notes();
  const request = withFinalSettings(whole, format, notes);
  yield;
  const context = contextOf(request, { notes, dialect });
  if (!context.own) assertExpressible(request);
  yield;
  assertContentFits(request, format);
  const body = yield* encodeBody(withoutAnswer(request, context), context);
  noteDropped(request, context);
  return { wire: { path, search: {}, headers: encodeHeaders(request), body }, notes: notes.list };
}

function decode(wire: WireRequest, purpose: "generation" | "count"): CanonicalRequest {
  assertRequest(wire.body, purpose);
  try {
    return decodeBody(wire);
  } catch (error) {
    if (error instanceof RangeError) throw refused("", "is nested too deeply");
    throw error;
  }
}

/** Members with a canonical home; all others stay in `native`. */
const decodedMembers = [
  "model",
  "messages",
  "system",
  "stream",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "metadata",
  "cache_control",
];

function decodeBody({ body, headers }: WireRequest): CanonicalRequest {
  const { attribution, inline, instructions, turns } = decodeConversation(body);
  const endUser = textOrNothing(objectOf(body.metadata).user_id);
  const vendorState = vendorStateIn(body);
  return {
    model: textOf(body.model),
    stream: body.stream === true,
    instructions,
    turns,
    tools: withMcpServers([...decodeTools(body.tools), ...inline], body.mcp_servers),
    ...decodeToolChoice(body.tool_choice, body.tools),
    ...decodeOutput(body),
    sampling: decodeSampling(body),
    limits: decodeLimits(body),
    ...decodeReasoning(body),
    ...decodeCache(body.cache_control),
    ...(endUser !== undefined && { endUser }),
    ...decodeTier(body),
    ...(body.max_tokens === 0 && { caching: { prewarm: true } }),
    ...(vendorState && { vendorState }),
    ...mark(requestFields(body)),
    ...decodeSpelling(headers, attribution),
  };
}

/** Members of a body without a canonical field, also within objects that have one. */
function requestFields(body: JsonObject): JsonObject {
  const choice = choiceRest(body.tool_choice);
  const rest = {
    ...restOf(body, decodedMembers),
    ...(!isEmpty(choice) && { tool_choice: choice }),
  };
  if (!body.output_config && !body.output_format && !body.metadata) return rest;
  const wire = outputFormatOf(body);
  const config = restOf(objectOf(body.output_config), [
    ...(isKnownEffort(objectOf(body.output_config).effort) ? ["effort"] : []),
    ...(wire?.type === "json_schema" ? ["format"] : []),
  ]);
  const metadata = restOf(objectOf(body.metadata), ["user_id"]);
  return {
    ...rest,
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(wire && wire.type !== "json_schema" && wire === body.output_format &&
      { output_format: wire }),
  };
}

function contextOf(
  request: CanonicalRequest,
  { notes, dialect }: { readonly notes: Notes; readonly dialect: Dialect | undefined },
): RequestContext {
  const own = request.native?.format === format;
  const { marks, all } = fittingCacheMarks(request);
  if (!own && !all) notes.add("cacheCount");
  return {
    notes,
    own,
    traits: traitsOf(request.model),
    cacheMarks: marks,
    ...(dialect && { dialect }),
    automaticCaching: !own && dialect?.automaticCaching !== false,
  };
}

function* encodeBody(request: CanonicalRequest, context: RequestContext): Steps<JsonObject> {
  const maxTokens = encodeMaxTokens(request, context);
  const reasoning = encodeReasoning(request.reasoning, maxTokens ?? 0, context);
  const output = encodeOutput(request.output, context);
  const messages = yield* encodeTurns(request, context);
  const thinking = fittedThinking(reasoning.thinking, { ...request, messages }, context);
  const thinks = thinking?.type === "enabled";
  const body = defined({
    ...ownFields(request),
    model: request.model,
    max_tokens: maxTokens,
    ...encodeSystem(request, output.instruction, context),
    messages,
    ...encodeToolUse(request, context),
    thinking,
    ...encodeConfig(request, { effort: reasoning.effort, format: output.format }),
    ...encodeSampling(request, thinks, context),
    ...encodeCache(request.cache, "", context),
    metadata: encodeMetadata(request, context),
    service_tier: encodeServiceTier(request, context),
    ...(request.stream && { stream: true }),
  });
  return withAutomaticBreakpoints(body, request, { ...context, instruction: output.instruction });
}

function encodeToolUse(request: CanonicalRequest, context: RequestContext): JsonObject {
  const tools = encodeTools(request, context);
  const hasTools = tools.length > 0;
  return {
    ...(hasTools && { tools }),
    ...encodeToolChoice(request, hasTools, context),
  };
}

/** `output_config`: the canonical settings and the native members. */
function encodeConfig(
  request: CanonicalRequest,
  said: { readonly effort?: string; readonly format?: JsonObject },
): JsonObject {
  const config = { ...objectOf(ownFields(request)?.output_config), ...defined(said) };
  return { output_config: isEmpty(config) ? undefined : config };
}

/**
 * A model that thinks within a budget refuses a forced call, so thinking is dropped: the caller
 * relies on the call.
 */
function fittedThinking(
  thinking: JsonObject | undefined,
  request: Pick<CanonicalRequest, "toolChoice" | "tools"> & {
    readonly messages: readonly JsonObject[];
  },
  { own, notes }: RequestContext,
): JsonObject | undefined {
  if (thinking?.type !== "enabled") return thinking;
  const inLoop = isLoopWithoutThinking(request.messages);
  if (!inLoop && (own || !forcesTool(request))) return thinking;
  notes.add(inLoop ? "reasoningInLoop" : "reasoningForced");
  return undefined;
}

function encodeSystem(
  { instructions, spelling }: CanonicalRequest,
  instruction: string | undefined,
  context: RequestContext,
): JsonObject {
  const attribution = spelling?.format === format ? spelling.fields.attribution : undefined;
  const blocks = [
    ...(isJsonObject(attribution) ? [attribution] : []),
    ...encodeTexts(instructions, "instructions", context),
    ...(instruction === undefined ? [] : [{ type: "text", text: instruction }]),
  ];
  return blocks.length > 0 ? { system: contentOf(blocks) } : {};
}
