import {
  type CanonicalRequest,
  type Effort,
  effortAsked,
  efforts,
  isBudgetAsEffort,
  type JsonObject,
  type Reasoning,
} from "../../canonical/mod.ts";
import { isEmpty, numberOrNothing, objectOf } from "../wire_value.ts";
import { format } from "./native.ts";
import type { RequestContext } from "./request_context.ts";

/** Members that routers and vendors of this format added for the same purpose. */
export const reasoningExtensions = ["reasoning", "thinking", "enable_thinking", "thinking_budget"];

/** Reads the reasoning settings: `reasoning_effort`, else the extensions. */
export function decodeReasoning(body: JsonObject): { reasoning?: Reasoning } {
  const extended = decodeExtensions(body);
  const effort = effortNamed(body.reasoning_effort) ?? extended.effort;
  const reasoning = { ...extended, ...(effort && { effort }) };
  if (isEmpty(reasoning)) return {};
  // this format's vendors always show the reasoning that they have
  const seen = reasoning.mode !== "disabled" && reasoning.effort !== "none";
  return { reasoning: seen ? { summary: "auto", ...reasoning } : reasoning };
}

/**
 * Uses an effort for a budget if the caller stated no effort. This format always shows the
 * available reasoning.
 */
export function encodeReasoning(
  request: CanonicalRequest,
  { own, notes, traits }: RequestContext,
): { reasoning_effort?: Effort } {
  const { reasoning, spelling } = request;
  if (!reasoning) return {};
  notes.foreign(reasoning.native, "reasoning.native");
  const spelled = spelling?.format === format ? decodeExtensions(spelling.fields) : {};
  if (!isEmpty(spelled) && spelled.effort === reasoning.effort) return {};
  const effort = effortOf(request);
  if (!effort) return {};
  if (!own && !traits.effort) {
    if (effort !== "none") notes.add("reasoningEffort");
    return {};
  }
  if (isBudgetAsEffort(reasoning)) notes.add("reasoningBudget");
  return { reasoning_effort: effort };
}

export function effortOf({ reasoning }: CanonicalRequest): Effort | undefined {
  return reasoning && effortAsked(reasoning);
}

/** The reasoning budget under the names of all extensions, highest precedence first. */
export function thinkingBudgets(body: JsonObject): readonly unknown[] {
  return [
    objectOf(body.reasoning).max_tokens,
    objectOf(body.thinking).budget_tokens,
    body.thinking_budget,
  ];
}

function decodeExtensions(body: JsonObject): Reasoning {
  const routed = objectOf(body.reasoning);
  const thinking = objectOf(body.thinking);
  const effort = effortNamed(routed.effort);
  const budgetTokens = thinkingBudgets(body).map(numberOrNothing)
    .find((budget) => budget !== undefined);
  const mode = modeOf(routed.enabled ?? body.enable_thinking) ??
    modes.find((name) => name === thinking.type);
  return {
    ...(effort && { effort }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(mode && { mode }),
    ...(routed.exclude === true && { summary: "none" as const }),
  };
}

const modes = ["enabled", "adaptive", "disabled"] as const;

function modeOf(flag: unknown): Reasoning["mode"] {
  if (typeof flag !== "boolean") return undefined;
  return flag ? "enabled" : "disabled";
}

function effortNamed(value: unknown): Effort | undefined {
  return efforts.find((effort) => effort === value);
}
