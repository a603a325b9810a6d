import { clamped, dropped, emulated, type Note, repaired } from "../../canonical/mod.ts";
import { foreignNotes, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  temperature: clamped("sampling.temperature", "The messages format accepts 0 to 1"),
  samplingRefused: dropped("sampling", "The model does not accept sampling parameters"),
  samplingVersion: dropped(
    "sampling",
    "The upstream's version of the messages format does not accept sampling parameters",
  ),
  samplingThinking: dropped(
    "sampling",
    "Sampling parameters are not accepted while the model thinks within a budget",
  ),
  topP: dropped("sampling.topP", "The model accepts only one of temperature and top-p"),
  seed: dropped("sampling.seed", "The messages format has no seed"),
  presencePenalty: dropped(
    "sampling.presencePenalty",
    "The messages format has no presence penalty",
  ),
  frequencyPenalty: dropped(
    "sampling.frequencyPenalty",
    "The messages format has no frequency penalty",
  ),
  logitBias: dropped("sampling.logitBias", "The messages format has no logit bias"),
  logprobs: dropped("sampling.logprobs", "The messages format has no log probabilities"),
  stopSequences: dropped(
    "sampling.stopSequences",
    "The messages format rejects stop sequences that are only white space",
  ),
  maxOutputTokens: clamped(
    "limits.maxOutputTokens",
    "The limit exceeds the model's maximum output",
  ),
  maxToolCalls: dropped(
    "limits.maxToolCalls",
    "The messages format cannot limit the number of tool calls",
  ),
  reasoningEffort: clamped("reasoning.effort", "The model does not have this effort level"),
  reasoningBudget: emulated(
    "reasoning.budgetTokens",
    "The model accepts an effort instead of a budget",
  ),
  reasoningBudgetSize: clamped(
    "reasoning.budgetTokens",
    "A budget must be at least 1024 tokens and less than the output limit",
  ),
  reasoningDropped: dropped(
    "reasoning",
    "The output limit leaves no room for thinking, or the model cannot think",
  ),
  reasoningForced: dropped(
    "reasoning",
    "This model cannot be forced to call a tool while it thinks, so it does not think",
  ),
  reasoningInLoop: repaired(
    "reasoning",
    "A tool call without its signed thinking cannot be continued while thinking is on",
  ),
  reasoningKept: clamped("reasoning", "The model always thinks, so the lowest effort is sent"),
  jsonMode: emulated("output", "An instruction requests JSON"),
  schemaMode: emulated("output", "An instruction states the schema"),
  outputDescription: emulated(
    "output.description",
    "The messages format has no description of a schema, so an instruction states it",
  ),
  schemaClosed: emulated(
    "output.schema",
    "Objects of structured output are closed: no properties beyond the listed ones",
  ),
  verbosity: dropped("verbosity", "The messages format has no verbosity"),
  endUser: emulated("endUser", "The id is too long or an e-mail address, so its hash is sent"),
  metadata: dropped("metadata", "The messages format has no metadata of this kind"),
  store: dropped("store", "The messages format does not store answers"),
  cacheKey: dropped(
    "cacheKey",
    "The messages format has no prompt-cache key, and automatic caching is off for this upstream",
  ),
  cacheTtl: clamped("turns[i].parts[j].cache.ttl", "Cache breakpoints last 5 minutes or 1 hour"),
  cacheCount: dropped(
    "cache",
    "The messages format accepts 4 cache breakpoints, so the last ones are sent",
  ),
  serviceTier: dropped("serviceTier", "The messages format has no such service tier"),
  serviceTierBought: emulated(
    "serviceTier",
    "The messages format uses priority capacity only if the upstream has bought some",
  ),
  safety: dropped("safety", "The messages format has no safety settings"),
  reasoning: dropped(
    "turns[i].parts[j]",
    "Reasoning without this vendor's own signature cannot be replayed",
  ),
  assistantMedia: dropped(
    "turns[i].parts[j]",
    "The messages format cannot replay an assistant's media",
  ),
  transcript: emulated(
    "turns[i].parts[j]",
    "Audio that an assistant made is replayed as its transcript",
  ),
  refusal: emulated("turns[i].parts[j]", "A refusal is replayed as text"),
  citations: dropped(
    "turns[i].parts[j].citations",
    "The messages format accepts only its own citations",
  ),
  imageDetail: dropped(
    "turns[i].parts[j].detail",
    "The messages format has no detail level for images",
  ),
  callArguments: repaired(
    "turns[i].parts[j].arguments",
    "The arguments are not a JSON object, so they are wrapped in one",
  ),
  misplaced: dropped(
    "turns[i].parts[j]",
    "The messages format does not allow this part in a message of this role",
  ),
  systemTurn: emulated(
    "turns[i]",
    "The model accepts system text only at the start, so it is sent as a reminder in the user's text",
  ),
  firstTurn: repaired("turns", "The first message must be the user's, so one was added"),
  customTool: emulated(
    "tools[i]",
    "Free-text tools become functions with one string; the description states the grammar",
  ),
  toolName: emulated(
    "tools[i].name",
    "The messages format allows at most 128 letters, digits, _ and - here",
  ),
  toolNamespace: emulated(
    "tools[i].namespace",
    "The messages format has no namespaces, so the name includes it",
  ),
  toolStrict: dropped(
    "tools[i].strict",
    "The model accepts at most 20 strict tools, each with a schema that meets the rules of strict tools",
  ),
  toolSubset: emulated("tools[i]", "Only the tools that the tool choice allows are sent"),
  toolStub: repaired(
    "tools",
    "The history calls tools that are not declared, so they are declared without a schema",
  ),
  toolDomains: dropped(
    "tools[i].blockedDomains",
    "A tool accepts allowed or blocked domains, not both",
  ),
  searchContextSize: dropped(
    "tools[i].searchContextSize",
    "Web search of the messages format has no context size",
  ),
  toolForced: emulated("toolChoice", "This model cannot be forced to call a tool, so it chooses"),
  toolChoiceEmpty: dropped("toolChoice", "No tool is left to choose from"),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
