import { type CanonicalRequest, noUsage, type Usage } from "../../canonical/mod.ts";
import { measureRequest } from "../../tokens/mod.ts";
import type { Draft } from "./drafted_part.ts";
import { tokensOf } from "./limits.ts";

/** Counts with the tokenizer. Reports no cached tokens, so that equal calls cost the same. */
export function usageOf(request: CanonicalRequest, drafts: readonly Draft[]): Usage {
  return {
    ...noUsage,
    ...measureRequest(request),
    outputTokens: sum(drafts.filter(({ part }) => part.type !== "reasoning")),
    reasoningTokens: sum(drafts.filter(({ part }) => part.type === "reasoning")),
  };
}

function sum(drafts: readonly Draft[]): number {
  return drafts.reduce((total, draft) => total + tokensOf(draft), 0);
}
