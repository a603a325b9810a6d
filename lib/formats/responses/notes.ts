import { clamped, dropped, emulated, type Note } from "../../canonical/mod.ts";
import { foreignNotes, settingNotes, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  topK: dropped("sampling.topK", "The responses format has no top-k sampling"),
  stopSequences: dropped("sampling.stopSequences", "The responses format has no stop sequences"),
  seed: dropped("sampling.seed", "The responses format has no seed"),
  presencePenalty: dropped(
    "sampling.presencePenalty",
    "The responses format has no presence penalty",
  ),
  frequencyPenalty: dropped(
    "sampling.frequencyPenalty",
    "The responses format has no frequency penalty",
  ),
  logitBias: dropped("sampling.logitBias", "The responses format has no logit bias"),
  maxOutputTokens: clamped(
    "limits.maxOutputTokens",
    "The responses format does not accept a limit below 16 tokens",
  ),
  reasoningBudget: emulated(
    "reasoning.budgetTokens",
    "The responses format has an effort instead of a budget",
  ),
  ...settingNotes,
  serviceTier: dropped("serviceTier", "The responses format has no such service tier"),
  store: dropped(
    "store",
    "Tessera lets this vendor store answers only for callers of the responses format",
  ),
  safety: dropped("safety", "The responses format has no safety settings"),
  cacheTtl: clamped(
    "turns[i].parts[j].cache.ttl",
    "Cache breakpoints of the responses format last 30 minutes or 12 hours",
  ),
  answerCache: dropped(
    "turns[i].parts[j].cache",
    "The responses format has no cache breakpoints on answers of the model",
  ),
  toolCache: dropped("tools[i].cache", "The responses format has no cache breakpoints on tools"),
  reasoning: dropped(
    "turns[i].parts[j]",
    "Reasoning without this vendor's own proof cannot be replayed",
  ),
  reasoningUnknown: dropped(
    "input[i]",
    "The reasoning has no encrypted content, and neither the gateway nor an upstream has it stored",
  ),
  reasoningSealed: dropped(
    "input[i]",
    "Another upstream encrypted this reasoning, so this one cannot read it",
  ),
  assistantMedia: dropped(
    "turns[i].parts[j]",
    "The responses format cannot replay an assistant's media",
  ),
  transcript: emulated(
    "turns[i].parts[j]",
    "Audio that an assistant made is replayed as its transcript",
  ),
  citations: dropped("turns[i].parts[j].citations", "Citations of the responses format need a URL"),
  inputCitations: dropped(
    "turns[i].parts[j].citations",
    "Only the model's messages have citations in the responses format",
  ),
  toolError: emulated(
    "turns[i].parts[j].isError",
    "The responses format has no error flag, so the error is marked in the text",
  ),
  misplaced: dropped(
    "turns[i].parts[j]",
    "The responses format does not allow this part in a message of this role",
  ),
  toolName: emulated(
    "tools[i].name",
    "The responses format allows at most 64 letters, digits, _ and - here",
  ),
  urlFetch: dropped("tools[i]", "The responses format has no tool that fetches URLs"),
  blockedDomains: dropped(
    "tools[i].blockedDomains",
    "Web search of the responses format cannot block domains",
  ),
  maxUses: dropped("tools[i].maxUses", "The responses format cannot limit a single hosted tool"),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
