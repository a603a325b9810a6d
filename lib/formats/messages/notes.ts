import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  temperature: note("sampling.temperature", "clamped", "The messages format accepts 0 to 1"),
  samplingRefused: note("sampling", "dropped", "The model does not accept sampling parameters"),
  samplingVersion: note(
    "sampling",
    "dropped",
    "The upstream's version of the messages format does not accept sampling parameters",
  ),
  samplingThinking: note(
    "sampling",
    "dropped",
    "Sampling parameters are not accepted while the model thinks within a budget",
  ),
  topP: note("sampling.topP", "dropped", "The model accepts only one of temperature and top-p"),
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
    "The messages format rejects stop sequences that are only white space",
  ),
  maxOutputTokens: note(
    "limits.maxOutputTokens",
    "clamped",
    "The limit exceeds the model's maximum output",
  ),
  maxToolCalls: note(
    "limits.maxToolCalls",
    "dropped",
    "The messages format cannot limit the number of tool calls",
  ),
  reasoningEffort: note("reasoning.effort", "clamped", "The model does not have this effort level"),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "emulated",
    "The model accepts an effort instead of a budget",
  ),
  reasoningBudgetSize: note(
    "reasoning.budgetTokens",
    "clamped",
    "A budget must be at least 1024 tokens and less than the output limit",
  ),
  reasoningDropped: note(
    "reasoning",
    "dropped",
    "The output limit leaves no room for thinking, or the model cannot think",
  ),
  reasoningForced: note(
    "reasoning",
    "dropped",
    "This model cannot be forced to call a tool while it thinks, so it does not think",
  ),
  reasoningInLoop: note(
    "reasoning",
    "repaired",
    "A tool call without its signed thinking cannot be continued while thinking is on",
  ),
  reasoningKept: note(
    "reasoning",
    "clamped",
    "The model always thinks, so the lowest effort is sent",
  ),
  jsonMode: note("output", "emulated", "An instruction requests JSON"),
  schemaMode: note("output", "emulated", "An instruction states the schema"),
  outputDescription: note(
    "output.description",
    "emulated",
    "The messages format has no description of a schema, so an instruction states it",
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
    "The id is too long or an e-mail address, so its hash is sent",
  ),
  metadata: note("metadata", "dropped", "The messages format has no metadata of this kind"),
  store: note("store", "dropped", "The messages format does not store answers"),
  cacheKey: note(
    "cacheKey",
    "dropped",
    "The messages format has no prompt-cache key, and automatic caching is off for this upstream",
  ),
  cacheTtl: note(
    "turns[i].parts[j].cache.ttl",
    "clamped",
    "Cache breakpoints last 5 minutes or 1 hour",
  ),
  cacheCount: note(
    "cache",
    "dropped",
    "The messages format accepts 4 cache breakpoints, so the last ones are sent",
  ),
  serviceTier: note("serviceTier", "dropped", "The messages format has no such service tier"),
  serviceTierBought: note(
    "serviceTier",
    "emulated",
    "The messages format uses priority capacity only if the upstream has bought some",
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
    "The messages format cannot replay an assistant's media",
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
    "The messages format accepts only its own citations",
  ),
  imageDetail: note(
    "turns[i].parts[j].detail",
    "dropped",
    "The messages format has no detail level for images",
  ),
  callArguments: note(
    "turns[i].parts[j].arguments",
    "repaired",
    "The arguments are not a JSON object, so they are wrapped in one",
  ),
  misplaced: note(
    "turns[i].parts[j]",
    "dropped",
    "The messages format does not allow this part in a message of this role",
  ),
  systemTurn: note(
    "turns[i]",
    "emulated",
    "The model accepts system text only at the start, so it is sent as a reminder in the user's text",
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
    "The messages format allows at most 128 letters, digits, _ and - here",
  ),
  toolNamespace: note(
    "tools[i].namespace",
    "emulated",
    "The messages format has no namespaces, so the name includes it",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The model accepts at most 20 strict tools, each with a schema that meets the rules of strict tools",
  ),
  toolSubset: note("tools[i]", "emulated", "Only the tools that the tool choice allows are sent"),
  toolStub: note(
    "tools",
    "repaired",
    "The history calls tools that are not declared, so they are declared without a schema",
  ),
  toolDomains: note(
    "tools[i].blockedDomains",
    "dropped",
    "A tool accepts allowed or blocked domains, not both",
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
  toolChoiceEmpty: note("toolChoice", "dropped", "No tool is left to choose from"),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
