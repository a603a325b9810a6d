import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  temperature: note("sampling.temperature", "dropped", "A model that thinks takes no temperature"),
  topP: note("sampling.topP", "dropped", "A model that thinks takes no top-p sampling"),
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
    "The responses format takes no limit below 16 tokens",
  ),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "emulated",
    "The responses format states an effort instead of a budget",
  ),
  jsonMode: note(
    "output",
    "emulated",
    "JSON mode needs the word JSON in the prompt, so an instruction was added",
  ),
  reasoningEffort: note("reasoning", "dropped", "This model takes no reasoning effort"),
  outputStrict: note(
    "output.strict",
    "dropped",
    "The schema does not meet the rules of strict output",
  ),
  endUser: note(
    "endUser",
    "emulated",
    "The id is longer than 128 characters or an address, so its hash is sent",
  ),
  serviceTier: note("serviceTier", "dropped", "The responses format has no such service tier"),
  safety: note("safety", "dropped", "The responses format has no safety settings"),
  cacheTtl: note(
    "turns[i].parts[j].cache.ttl",
    "clamped",
    "A cache breakpoint of the responses format lives 30 minutes or 12 hours",
  ),
  answerCache: note(
    "turns[i].parts[j].cache",
    "dropped",
    "The responses format has no cache breakpoints on what the model said",
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
    "Reasoning without its encrypted content is in no response stored here, and no upstream keeps it",
  ),
  reasoningSealed: note(
    "input[i]",
    "dropped",
    "Another upstream encrypted this reasoning, so this one cannot read it",
  ),
  assistantMedia: note(
    "turns[i].parts[j]",
    "dropped",
    "The responses format cannot replay media that an assistant made",
  ),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "The responses format cites only by address",
  ),
  toolError: note(
    "turns[i].parts[j].isError",
    "emulated",
    "The responses format has no error flag, so the text says it",
  ),
  misplaced: note(
    "turns[i].parts[j]",
    "dropped",
    "The responses format has no such part in this role",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The schema does not meet the rules of strict tools",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The responses format takes letters, digits, _ and - (64 at most)",
  ),
  toolChoice: note("toolChoice", "dropped", "No tool is left to choose from"),
  urlFetch: note("tools[i]", "dropped", "The responses format has no tool that fetches addresses"),
  blockedDomains: note(
    "tools[i].blockedDomains",
    "dropped",
    "Web search of the responses format cannot block domains",
  ),
  maxUses: note(
    "tools[i].maxUses",
    "dropped",
    "Hosted tools of the responses format have no limit each",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
