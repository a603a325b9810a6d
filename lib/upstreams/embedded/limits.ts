import type { CanonicalRequest, Ending } from "../../canonical/mod.ts";
import { countTextTokens, cutToTokens } from "../../tokens/mod.ts";
import type { Draft } from "./drafted_part.ts";

/** The parts of one alternative within its limits, and the reason for its end. */
export interface Bounded {
  readonly drafts: readonly Draft[];
  readonly ending: Ending;
}

/** Cuts an alternative at the first stop sequence in its text, and at the tokens allowed. */
export function boundDrafts(drafts: readonly Draft[], request: CanonicalRequest): Bounded {
  const kept: Draft[] = [];
  let tokensLeft = request.limits.maxOutputTokens ?? Infinity;
  for (const draft of drafts) {
    const [cut, stopSequence] = cutAtStop(draft, request.sampling.stopSequences ?? []);
    const tokens = tokensOf(cut);
    if (tokens > tokensLeft) {
      return {
        drafts: [...kept, ...shortened(cut, tokensLeft)],
        ending: { finishReason: "length" },
      };
    }
    tokensLeft -= tokens;
    kept.push(cut);
    if (stopSequence !== undefined) {
      return { drafts: kept, ending: { finishReason: "stop-sequence", stopSequence } };
    }
  }
  const called = kept.some(({ part }) => part.type === "tool-call");
  return { drafts: kept, ending: { finishReason: called ? "tool-calls" : "stop" } };
}

/** Tokens that a part adds to the answer. */
export function tokensOf({ part, text }: Draft): number {
  return countTextTokens(text) + (part.type === "tool-call" ? countTextTokens(part.name) : 0);
}

function cutAtStop(draft: Draft, sequences: readonly string[]): [Draft, string?] {
  if (draft.part.type !== "text") return [draft];
  const [first] = sequences
    .filter((sequence) => sequence !== "" && draft.text.includes(sequence))
    .map((sequence) => ({ sequence, at: draft.text.indexOf(sequence) }))
    .toSorted((a, b) => a.at - b.at);
  return first ? [{ ...draft, text: draft.text.slice(0, first.at) }, first.sequence] : [draft];
}

/** The part cut to the remaining tokens; nothing if not even its name fits. */
function shortened({ patch: _patch, ...draft }: Draft, tokensLeft: number): readonly Draft[] {
  const name = draft.part.type === "tool-call" ? countTextTokens(draft.part.name) : 0;
  if (tokensLeft <= name) return [];
  return [{ ...draft, text: cutToTokens(draft.text, tokensLeft - name) }];
}
