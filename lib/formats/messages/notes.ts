import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  temperature: note("sampling.temperature", "clamped", "The messages format has 0 to 1"),
  samplingRefused: note("sampling", "dropped", "The model takes no sampling parameters"),
  samplingVersion: note(
    "sampling",
    "dropped",
    "The upstream's version of the messages format takes no sampling parameters",
  ),
  samplingThinking: note(
    "sampling",
    "dropped",
    "Sampling parameters cannot be said while the model thinks within a budget",
  ),
  topP: note("sampling.topP", "dropped", "The model takes only one of temperature and top-p"),
  seed: note("sampling.seed", "dropped", "The messages format has no seed"),
  presencePenalty: note(
    "sampling.presencePenalty",
    "dropped",
    "The messages format has no presence penalty",
  ),
  frequencyPenalty: note(
    "sampling.frequencyPenalty",
    "dropped",
    "The messages format has no frequency penalty",
  ),
  logitBias: note("sampling.logitBias", "dropped", "The messages format has no logit bias"),
  logprobs: note("sampling.logprobs", "dropped", "The messages format has no log probabilities"),
  stopSequences: note(
    "sampling.stopSequences",
    "dropped",
    "The messages format refuses stop sequences of white space alone",
  ),
  maxOutputTokens: note(
    "limits.maxOutputTokens",
    "clamped",
    "The model cannot write more tokens than that",
  ),
  maxToolCalls: note(
    "limits.maxToolCalls",
    "dropped",
    "The messages format cannot limit the number of tool calls",
  ),
  reasoningEffort: note("reasoning.effort", "clamped", "The model has no such effort"),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "emulated",
    "The model takes an effort instead of a budget",
  ),
  reasoningBudgetSize: note(
    "reasoning.budgetTokens",
    "clamped",
    "A budget is at least 1024 tokens and less than the limit of output tokens",
  ),
  reasoningDropped: note(
    "reasoning",
    "dropped",
    "The limit of output tokens leaves no room to think, or the model cannot",
  ),
  reasoningForced: note(
    "reasoning",
    "dropped",
    "This model cannot be forced to call a tool while it thinks, so it does not think",
  ),
  reasoningInLoop: note(
    "reasoning",
    "repaired",
    "A tool call without its signed thinking cannot be gone on from while thinking is on",
  ),
  reasoningKept: note("reasoning", "clamped", "The model always thinks, so it thinks little"),
  jsonMode: note("output", "emulated", "An instruction requests JSON"),
  schemaMode: note("output", "emulated", "An instruction states the schema"),
  outputDescription: note(
    "output.description",
    "emulated",
    "The messages format describes no schema, so an instruction states the description",
  ),
  schemaClosed: note(
    "output.schema",
    "emulated",
    "Objects of structured output are closed: no properties beyond the listed ones",
  ),
  verbosity: note("verbosity", "dropped", "The messages format has no verbosity"),
  endUser: note(
    "endUser",
    "emulated",
    "The id is too long or an address, so its hash is sent",
  ),
  metadata: note("metadata", "dropped", "The messages format has no metadata of this kind"),
  store: note("store", "dropped", "The messages format stores no answers"),
  cacheKey: note(
    "cacheKey",
    "dropped",
    "The messages format has no prompt-cache key, and automatic caching is off for this upstream",
  ),
  cacheTtl: note(
    "turns[i].parts[j].cache.ttl",
    "clamped",
    "A cache breakpoint lives 5 minutes or 1 hour",
  ),
  cacheCount: note("cache", "dropped", "Only 4 cache breakpoints are taken; the last ones stay"),
  serviceTier: note("serviceTier", "dropped", "The messages format has no such service tier"),
  serviceTierBought: note(
    "serviceTier",
    "emulated",
    "The messages format uses priority capacity only where the upstream has bought some",
  ),
  safety: note("safety", "dropped", "The messages format has no safety settings"),
  reasoning: note(
    "turns[i].parts[j]",
    "dropped",
    "Reasoning without this vendor's own signature cannot be replayed",
  ),
  assistantMedia: note(
    "turns[i].parts[j]",
    "dropped",
    "The messages format cannot replay media that an assistant made",
  ),
  transcript: note(
    "turns[i].parts[j]",
    "emulated",
    "Audio that an assistant made is replayed as its transcript",
  ),
  refusal: note("turns[i].parts[j]", "emulated", "A refusal is replayed as text"),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "The messages format takes only its own citations",
  ),
  imageDetail: note(
    "turns[i].parts[j].detail",
    "dropped",
    "The messages format has no level of detail for images",
  ),
  callArguments: note(
    "turns[i].parts[j].arguments",
    "repaired",
    "The arguments are not a JSON object, so they are wrapped in one",
  ),
  misplaced: note(
    "turns[i].parts[j]",
    "dropped",
    "The messages format has no such part in this role",
  ),
  systemTurn: note(
    "turns[i]",
    "emulated",
    "The model takes system text only at the start, so the user says it as a reminder",
  ),
  firstTurn: note("turns", "repaired", "The first message must be the user's, so one was added"),
  customTool: note(
    "tools[i]",
    "emulated",
    "Free-text tools become functions with one string; the description states the grammar",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The messages format takes letters, digits, _ and - (128 at most)",
  ),
  toolNamespace: note(
    "tools[i].namespace",
    "emulated",
    "The messages format has no namespaces, so the name includes it",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The model takes 20 strict tools, each with a schema that meets the rules of strict tools",
  ),
  toolSubset: note("tools[i]", "emulated", "Tools that the choice leaves out are not sent"),
  toolStub: note(
    "tools",
    "repaired",
    "The history has calls of tools that are not declared, so they are declared without a schema",
  ),
  toolDomains: note(
    "tools[i].blockedDomains",
    "dropped",
    "A tool takes allowed or blocked domains, not both",
  ),
  searchContextSize: note(
    "tools[i].searchContextSize",
    "dropped",
    "Web search of the messages format has no context size",
  ),
  toolForced: note(
    "toolChoice",
    "emulated",
    "This model cannot be forced to call a tool, so it chooses",
  ),
  toolChoiceEmpty: note("toolChoice", "dropped", "There is no tool to choose"),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
