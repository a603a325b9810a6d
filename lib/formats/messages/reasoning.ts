import {
  type Effort,
  effortOfBudget,
  isJsonObject,
  type JsonObject,
  type Reasoning,
} from "../../canonical/mod.ts";
import { objectOf, restOf, textOrNothing } from "../wire_value.ts";
import { keep, ownFields } from "./native.ts";

import type { RequestContext } from "./request_context.ts";

/** `thinking` and the effort of `output_config`. */
interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

const efforts = ["low", "medium", "high", "xhigh", "max"] as const satisfies readonly Effort[];
const modes = ["enabled", "adaptive", "disabled"] as const;

/** `thinking` and `output_config.effort`. */
export function decodeReasoning(body: JsonObject): { reasoning?: Reasoning } {
  if (!body.thinking && !body.output_config) return {};
  const { effort: asked } = objectOf(body.output_config);
  const effort = efforts.find((known) => known === asked);
  if (!isJsonObject(body.thinking)) return effort ? { reasoning: { effort } } : {};
  const { thinking } = body;
  const mode = modes.find((mode) => mode === thinking.type);
  const summary = decodeDisplay(thinking.display);
  const budget = mode === "adaptive" || mode === "disabled" ? undefined : thinking.budget_tokens;
  return {
    reasoning: {
      ...(effort && { effort }),
      ...(typeof budget === "number" && { budgetTokens: budget }),
      ...modeOf(mode, thinking.type),
      ...(summary && { summary }),
      ...keep(restOf(thinking, [
        ...(mode ? ["type"] : []),
        ...(typeof budget === "number" ? ["budget_tokens"] : []),
        ...(summary ? ["display"] : []),
      ])),
    },
  };
}

/** Encodes the reasoning settings in the form that the model accepts. */
export function encodeReasoning(
  reasoning: Reasoning | undefined,
  maxTokens: number,
  context: RequestContext,
): EncodedReasoning {
  if (!reasoning) return {};
  if (context.own) return encodeOwnReasoning(reasoning);
  context.notes.foreign(reasoning.native, "reasoning.native");
  if (!isSaid(reasoning)) return {};
  switch (context.traits.thinking) {
    case "adaptive":
      return encodeAdaptive(reasoning, context);
    case "budget":
      return encodeBudget(reasoning, maxTokens, context);
    case "none":
      if (!isOff(reasoning)) context.notes.add("reasoningDropped");
      return {};
    default:
      return context.traits.thinking satisfies never;
  }
}

/** Returns true if `output_config.effort` has a canonical value. */
export function isKnownEffort(effort: unknown): effort is typeof efforts[number] {
  return efforts.some((known) => known === effort);
}

/** Returns true if a request wants thinking that uses part of the output limit. */
export function isThought(reasoning: Reasoning | undefined): boolean {
  return reasoning !== undefined && isSaid(reasoning) && !isOff(reasoning);
}

/** With a thinking budget, the vendor refuses to continue after a call whose signed thinking is missing. */
export function isLoopWithoutThinking(messages: readonly JsonObject[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== "user" || !hasBlock(last, "tool_result")) return false;
  const calls = messages.findLast(({ role }) => role === "assistant");
  if (!calls || !hasBlock(calls, "tool_use")) return false;
  const first: unknown = Array.isArray(calls.content) ? calls.content[0]?.type : undefined;
  return first !== "thinking" && first !== "redacted_thinking";
}

function decodeDisplay(display: unknown): Reasoning["summary"] {
  if (display === "summarized") return "auto";
  return display === "omitted" ? "none" : undefined;
}

/** A type that only this format has means that the model decides when to think. */
function modeOf(mode: Reasoning["mode"], type: unknown): { mode?: Reasoning["mode"] } {
  if (mode) return { mode };
  return type === "between_tools" ? { mode: "adaptive" } : {};
}

/** Settings of a caller of this format are sent unchanged. */
function encodeOwnReasoning(reasoning: Reasoning): {
  thinking?: JsonObject;
  effort?: string;
} {
  const { effort, budgetTokens, summary } = reasoning;
  const own = ownFields(reasoning) ?? {};
  const type = textOrNothing(own.type) ?? reasoning.mode;
  return {
    ...(effort && { effort }),
    ...(type && {
      thinking: {
        ...own,
        type,
        ...(budgetTokens !== undefined && { budget_tokens: budgetTokens }),
        ...(summary && { display: summary === "none" ? "omitted" : "summarized" }),
      },
    }),
  };
}

/** Returns true if the caller requested thinking; a request only to show it does not count. */
function isSaid({ effort, budgetTokens, mode }: Reasoning): boolean {
  return effort !== undefined || budgetTokens !== undefined || mode !== undefined;
}

function isOff({ effort, budgetTokens, mode }: Reasoning): boolean {
  return mode === "disabled" || (effort ?? (budgetTokens === 0 ? "none" : "low")) === "none";
}

/** The nearest effort of models that choose their own budget; some of them do not know `xhigh`. */
const adaptiveEfforts = {
  none: "low",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
} as const satisfies Record<Effort, string>;

function encodeAdaptive(
  reasoning: Reasoning,
  { notes, traits }: RequestContext,
): EncodedReasoning {
  if (isOff(reasoning)) {
    if (traits.disablesThinking) return { thinking: { type: "disabled" } };
    notes.add("reasoningKept");
    return { thinking: { type: "adaptive" }, effort: "low" };
  }
  const wanted = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens);
  if (reasoning.effort === undefined && wanted) notes.add("reasoningBudget");
  if (wanted === "minimal") notes.add("reasoningEffort");
  const effort = wanted === "xhigh" && !traits.xhighEffort
    ? "max"
    : wanted && adaptiveEfforts[wanted];
  return {
    thinking: {
      type: "adaptive",
      display: reasoning.summary === "none" ? "omitted" : "summarized",
    },
    ...(effort && { effort }),
  };
}

/** The share of the model's output limit that an effort may use for thinking. */
const budgetShares = {
  none: 0,
  minimal: 0,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.9,
} as const satisfies Record<Effort, number>;

const budgetTokensMin = 1024;
/** Maximum share of the answer's limit for thinking: the rest is for the answer itself. */
const thoughtShareMax = 0.8;

function encodeBudget(
  reasoning: Reasoning,
  maxTokens: number,
  { notes, traits }: RequestContext,
): EncodedReasoning {
  if (isOff(reasoning)) return {};
  const { budgetTokens = -1, effort = "medium", summary } = reasoning;
  const wanted = budgetTokens > 0
    ? budgetTokens
    : Math.min(traits.outputTokensMax * budgetShares[effort], maxTokens * thoughtShareMax);
  const budget = Math.min(Math.max(Math.floor(wanted), budgetTokensMin), maxTokens - 1);
  if (budget < budgetTokensMin) {
    notes.add("reasoningDropped");
    return {};
  }
  if (budgetTokens > 0 && budget !== wanted) notes.add("reasoningBudgetSize");
  return {
    thinking: {
      type: "enabled",
      budget_tokens: budget,
      ...(summary === "none" && { display: "omitted" }),
    },
  };
}

function hasBlock({ content }: JsonObject, type: string): boolean {
  return Array.isArray(content) && content.some((block) => block?.type === type);
}
