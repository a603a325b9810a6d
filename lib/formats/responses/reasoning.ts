import {
  type CanonicalRequest,
  type Effort,
  effortAsked,
  efforts,
  isBudgetAsEffort,
  type JsonObject,
  type Reasoning,
} from "../../canonical/mod.ts";
import { objectOf, restOf } from "../wire_value.ts";
import { traitsOf } from "./models.ts";
import { format, keep, ownFields } from "./native.ts";
import type { Notes } from "./notes.ts";

const summaries = ["auto", "concise", "detailed"] as const;

/** The request's `reasoning`. */
export function decodeReasoning(value: unknown): { reasoning?: Reasoning } {
  const wire = objectOf(value);
  const effort = efforts.find((name) => name === wire.effort);
  const summary = summaries.find((name) => name === wire.summary);
  const rest = restOf(
    wire,
    [...(effort ? ["effort"] : []), ...(summary ? ["summary"] : [])],
  );
  if (Object.keys(wire).length === 0) return {};
  return {
    reasoning: {
      ...(effort && { effort }),
      ...(summary && { summary }),
      ...keep(rest),
    },
  };
}

/** Uses an effort for a budget if the caller stated no effort; visible reasoning is requested as a summary. */
export function encodeReasoning(
  { model, reasoning, native }: CanonicalRequest,
  notes: Notes,
): { reasoning?: JsonObject } {
  if (!reasoning) return {};
  const own = native?.format === format;
  if (!own && !traitsOf(model).effort) return withoutEffort(reasoning, notes);
  if (isBudgetAsEffort(reasoning)) notes.add("reasoningBudget");
  const effort = effortAsked(reasoning);
  const summary = own ? reasoning.summary : summaryOf(reasoning, effort);
  notes.foreign(reasoning.native, "reasoning.native");
  const wire: JsonObject = {
    ...(effort && { effort }),
    ...(summary && summary !== "none" && { summary }),
    ...ownFields(reasoning),
  };
  return Object.keys(wire).length === 0 ? {} : { reasoning: wire };
}

/** Notes the loss for a model without reasoning, if the caller requested it. */
function withoutEffort({ effort, budgetTokens, mode }: Reasoning, notes: Notes) {
  const off = mode === "disabled" || effort === "none" || budgetTokens === 0;
  if (!off && (effort ?? budgetTokens ?? mode) !== undefined) notes.add("reasoningEffort");
  return {};
}

function summaryOf({ summary }: Reasoning, effort: Effort | undefined) {
  return summary ?? (effort === "none" ? undefined : "auto");
}
