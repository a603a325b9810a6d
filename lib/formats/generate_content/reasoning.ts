import {
  type CanonicalRequest,
  type Effort,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reasoning,
} from "../../canonical/mod.ts";
import { defined, restOf, textOf } from "../wire_value.ts";
import { exactLevel, levelOfEffort, type ThinkingLevel } from "./models.ts";
import { keep, ownFields } from "./native.ts";
import { protoNumber } from "./spelling.ts";
import type { RequestContext } from "./request_context.ts";

const effortOf = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
  XHIGH: "xhigh",
} as const satisfies Record<ThinkingLevel, Effort>;

/**
 * A caller that asks for thoughts gets a thinking model; without a budget or level the model
 * chooses the amount.
 */
export function decodeReasoning(config: JsonValue | undefined): { reasoning?: Reasoning } {
  if (!isJsonObject(config)) return {};
  const { includeThoughts: include } = config;
  const level = textOf(config.thinkingLevel).toUpperCase();
  const effort = isLevel(level) ? effortOf[level] : undefined;
  const budgetTokens = protoNumber(config.thinkingBudget);
  const known = ["includeThoughts", "thinkingBudget", ...(effort ? ["thinkingLevel"] : [])];
  return {
    reasoning: {
      ...(effort && { effort }),
      ...(budgetTokens !== undefined && { budgetTokens }),
      ...(typeof include === "boolean" && { summary: include ? "auto" : "none" }),
      ...(include === true && !effort && budgetTokens === undefined && { mode: "adaptive" }),
      ...keep(restOf(config, known)),
    },
  };
}

/** `thinkingConfig`: never a level and a budget together, which the vendor refuses. */
export function encodeReasoning(
  { reasoning }: CanonicalRequest,
  context: RequestContext,
): JsonObject | undefined {
  if (!reasoning) return undefined;
  context.notes.foreign(reasoning.native, "reasoning");
  if (context.own) return asWritten(reasoning);
  if (context.traits.thinking === "none") return unsupported(reasoning, context);
  const config = defined({
    ...amount(reasoning, context),
    includeThoughts: isVisible(reasoning) || undefined,
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

/** Notes settings for a model that cannot think, if the caller requested thinking. */
function unsupported(reasoning: Reasoning, { notes }: RequestContext): undefined {
  if (!isOff(reasoning)) notes.add("reasoningUnsupported");
  return undefined;
}

function asWritten(reasoning: Reasoning): JsonObject {
  const { effort, budgetTokens, summary } = reasoning;
  return defined({
    ...ownFields(reasoning),
    includeThoughts: summary === undefined ? undefined : summary !== "none",
    thinkingBudget: budgetTokens,
    thinkingLevel: effort && exactLevel[effort],
  });
}

function amount(reasoning: Reasoning, context: RequestContext): JsonObject {
  switch (context.traits.thinking) {
    case "level":
      return level(reasoning, context);
    case "budget":
      return budget(reasoning, context);
    case "unknown":
      return unknownAmount(reasoning, context);
    case "none":
      return {};
    default:
      return context.traits.thinking satisfies never;
  }
}

/** The model is unknown, so the settings are sent as they are, but no level above `HIGH`. */
function unknownAmount(reasoning: Reasoning, context: RequestContext): JsonObject {
  const { effort, budgetTokens } = reasoning;
  if (isOff(reasoning)) return { thinkingBudget: 0 };
  if (effort !== undefined) return levelOf(effort, context);
  return budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens };
}

function level(reasoning: Reasoning, context: RequestContext): JsonObject {
  const { traits, notes } = context;
  const levels = traits.levels ?? levelOfEffort;
  if (isOff(reasoning)) {
    notes.add("reasoningDisabled");
    return { thinkingLevel: levels.none };
  }
  const { effort, budgetTokens } = reasoning;
  if (effort !== undefined) return levelOf(effort, context);
  if (budgetTokens === undefined || budgetTokens < 0) return {};
  notes.add("reasoningBudgetAsLevel");
  return { thinkingLevel: levels[effortOfBudget(budgetTokens)] };
}

function levelOf(effort: Effort, { traits, notes }: RequestContext): JsonObject {
  const level = (traits.levels ?? levelOfEffort)[effort];
  if (level !== exactLevel[effort]) notes.add("reasoningEffort");
  return { thinkingLevel: level };
}

function budget(reasoning: Reasoning, { traits, notes }: RequestContext): JsonObject {
  const { min, max, canDisable } = traits.budget ?? { min: 1, max: 32_768, canDisable: true };
  if (isOff(reasoning)) {
    if (!canDisable) notes.add("reasoningDisabled");
    return { thinkingBudget: canDisable ? 0 : min };
  }
  const { effort, budgetTokens, mode } = reasoning;
  if (budgetTokens !== undefined) {
    const fitting = budgetTokens < 0 ? -1 : Math.min(max, Math.max(min, budgetTokens));
    if (fitting !== budgetTokens) notes.add("reasoningBudget");
    return { thinkingBudget: fitting };
  }
  if (effort !== undefined) {
    return { thinkingBudget: Math.min(max, Math.max(min, budgetOf[effort])) };
  }
  return mode === undefined ? {} : { thinkingBudget: -1 };
}

/** The reasoning budget of each effort, in tokens. The model's own range limits it. */
const budgetOf = {
  none: 0,
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
} as const satisfies Record<Effort, number>;

function effortOfBudget(tokens: number): Effort {
  if (tokens <= 1_024) return "low";
  if (tokens <= 8_192) return "medium";
  return "high";
}

function isOff({ effort, budgetTokens, mode }: Reasoning): boolean {
  return mode === "disabled" || effort === "none" || budgetTokens === 0;
}

/** Thoughts are visible if the caller enabled thinking without stating it, as its own vendor would do. */
function isVisible(reasoning: Reasoning): boolean {
  const { summary, mode } = reasoning;
  if (isOff(reasoning)) return false;
  return summary === undefined ? mode !== undefined : summary !== "none";
}

function isLevel(value: string): value is ThinkingLevel {
  return value in effortOf;
}
