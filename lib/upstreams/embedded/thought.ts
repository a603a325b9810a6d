import { createHash } from "node:crypto";
import type { CanonicalRequest, Continuation, Effort, Reasoning } from "../../canonical/mod.ts";
import type { Draft } from "./drafted_part.ts";
import type { Prompt } from "./prompt.ts";

/** Twelve bytes, so that its base64 is a prefix of the base64 of every proof. */
const proofMark = "echo-thought";
const proofTag = btoa(proofMark);

const sentencesOf = {
  none: 0,
  minimal: 1,
  low: 1,
  medium: 2,
  high: 3,
  xhigh: 4,
  max: 4,
} as const satisfies Record<Effort, number>;

/** Drafts a short thought if reasoning is on. */
export function draftThoughts(request: CanonicalRequest, prompt: Prompt): readonly Draft[] {
  if (!isThinking(request.reasoning)) return [];
  const text = thought(request, prompt);
  const part = { type: "reasoning", text: "", visibility: "summary" } as const;
  return [{ part, text, patch: { continuation: proofOf(text) } }];
}

function isThinking({ mode, effort, budgetTokens }: Reasoning = {}): boolean {
  if (mode === "disabled" || effort === "none" || budgetTokens === 0) return false;
  return mode !== undefined || effort !== undefined || budgetTokens !== undefined;
}

function thought(request: CanonicalRequest, prompt: Prompt): string {
  const sentences = [
    `The user's last message has ${prompt.text.length} characters.`,
    `It comes with ${prompt.results.length} tool results and ${request.tools.length} tools.`,
    `It asks for ${prompt.calls.length} calls.`,
    "Now I know what to answer.",
  ].slice(0, sentencesOf[request.reasoning?.effort ?? "medium"]);
  const remembered = rememberedThoughts(request);
  if (remembered > 0) sentences.push(`Of my earlier thoughts ${remembered} came back to me.`);
  return sentences.join(" ");
}

/**
 * Counts our own proofs in the request, even wrapped in other data, so that a client can check that
 * it replays them correctly.
 */
function rememberedThoughts({ turns }: CanonicalRequest): number {
  return turns.flatMap(({ parts }) => parts)
    .filter(({ continuation }) => continuation?.data.includes(proofTag))
    .length;
}

/**
 * Signs with the one format whose vendors do not verify proofs: if the conversation continues with
 * a real upstream, the three formats that verify proofs never see these. Plain base64 is valid in
 * every format's field.
 */
function proofOf(text: string): Continuation {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 24);
  return { issuer: "chat-completions", data: btoa(proofMark + digest) };
}
