import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, settingNotes, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  temperature: note(
    "sampling.temperature",
    "dropped",
    "Thinking models do not accept a temperature",
  ),
  topP: note("sampling.topP", "dropped", "Thinking models do not accept top-p sampling"),
  logprobs: note(
    "sampling.logprobs",
    "dropped",
    "Thinking models do not state log probabilities",
  ),
  topK: note("sampling.topK", "dropped", "The responses format has no top-k sampling"),
  stopSequences: note(
    "sampling.stopSequences",
    "dropped",
    "The responses format has no stop sequences",
  ),
  seed: note("sampling.seed", "dropped", "The responses format has no seed"),
  presencePenalty: note(
    "sampling.presencePenalty",
    "dropped",
    "The responses format has no presence penalty",
  ),
  frequencyPenalty: note(
    "sampling.frequencyPenalty",
    "dropped",
    "The responses format has no frequency penalty",
  ),
  logitBias: note("sampling.logitBias", "dropped", "The responses format has no logit bias"),
  maxOutputTokens: note(
    "limits.maxOutputTokens",
    "clamped",
    "The responses format does not accept a limit below 16 tokens",
  ),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "emulated",
    "The responses format has an effort instead of a budget",
  ),
  reasoningEffort: note("reasoning", "dropped", "This model does not accept a reasoning effort"),
  ...settingNotes,
  serviceTier: note("serviceTier", "dropped", "The responses format has no such service tier"),
  store: note(
    "store",
    "dropped",
    "Tessera lets this vendor store answers only for callers of the responses format",
  ),
  safety: note("safety", "dropped", "The responses format has no safety settings"),
  cacheTtl: note(
    "turns[i].parts[j].cache.ttl",
    "clamped",
    "Cache breakpoints of the responses format last 30 minutes or 12 hours",
  ),
  answerCache: note(
    "turns[i].parts[j].cache",
    "dropped",
    "The responses format has no cache breakpoints on answers of the model",
  ),
  toolCache: note(
    "tools[i].cache",
    "dropped",
    "The responses format has no cache breakpoints on tools",
  ),
  reasoning: note(
    "turns[i].parts[j]",
    "dropped",
    "Reasoning without this vendor's own proof cannot be replayed",
  ),
  reasoningUnknown: note(
    "input[i]",
    "dropped",
    "The reasoning has no encrypted content, and neither the gateway nor an upstream has it stored",
  ),
  reasoningSealed: note(
    "input[i]",
    "dropped",
    "Another upstream encrypted this reasoning, so this one cannot read it",
  ),
  assistantMedia: note(
    "turns[i].parts[j]",
    "dropped",
    "The responses format cannot replay an assistant's media",
  ),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "Citations of the responses format need a URL",
  ),
  inputCitations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "Only the model's messages have citations in the responses format",
  ),
  toolError: note(
    "turns[i].parts[j].isError",
    "emulated",
    "The responses format has no error flag, so the error is marked in the text",
  ),
  misplaced: note(
    "turns[i].parts[j]",
    "dropped",
    "The responses format does not allow this part in a message of this role",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The schema does not meet the rules of strict tools",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The responses format allows at most 64 letters, digits, _ and - here",
  ),
  toolChoice: note("toolChoice", "dropped", "No tool is left to choose from"),
  urlFetch: note("tools[i]", "dropped", "The responses format has no tool that fetches URLs"),
  blockedDomains: note(
    "tools[i].blockedDomains",
    "dropped",
    "Web search of the responses format cannot block domains",
  ),
  maxUses: note(
    "tools[i].maxUses",
    "dropped",
    "The responses format cannot limit a single hosted tool",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
