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
  reasoningEffort: note("reasoning", "dropped", "This model does not accept a reasoning effort"),
  topK: note("sampling.topK", "dropped", "The chat-completions format has no top-k sampling"),
  stopSequences: note(
    "sampling.stopSequences",
    "clamped",
    "The chat-completions format accepts four stop sequences, so the first four are sent",
  ),
  maxToolCalls: note(
    "limits.maxToolCalls",
    "dropped",
    "The chat-completions format cannot limit the number of tool calls",
  ),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "emulated",
    "The chat-completions format has an effort instead of a budget",
  ),
  outputName: note(
    "output.name",
    "emulated",
    "The chat-completions format allows at most 64 letters, digits, _ and - here",
  ),
  ...settingNotes,
  serviceTier: note("serviceTier", "dropped", "The chat-completions format has no such tier"),
  safety: note("safety", "dropped", "The chat-completions format has no safety settings"),
  toolChoice: note("toolChoice", "dropped", "No tool is left to choose from"),
  reasoning: note(
    "turns[i].parts[j]",
    "dropped",
    "Only reasoning from an upstream of the chat-completions format can be replayed to it",
  ),
  assistantMedia: note(
    "turns[i].parts[j]",
    "dropped",
    "The chat-completions format cannot replay an assistant's media",
  ),
  misplaced: note(
    "turns[i].parts[j]",
    "dropped",
    "The chat-completions format does not allow this part in a message of this role",
  ),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "The chat-completions format does not accept citations in a request",
  ),
  cache: note(
    "turns[i].parts[j].cache",
    "dropped",
    "The chat-completions format has no cache breakpoint at this place",
  ),
  cacheTtl: note(
    "turns[i].parts[j].cache.ttl",
    "clamped",
    "Cache breakpoints of the chat-completions format last 30 minutes",
  ),
  textFile: note(
    "turns[i].parts[j]",
    "emulated",
    "The chat-completions format does not accept text files, so the text itself is sent",
  ),
  toolError: note(
    "turns[i].parts[j].isError",
    "emulated",
    "The chat-completions format has no error flag, so the error is marked in the text",
  ),
  toolMedia: note(
    "turns[i].parts[j].parts[k]",
    "emulated",
    "Tool messages accept only text, so the media follow in a user message",
  ),
  toolCache: note(
    "tools[i].cache",
    "dropped",
    "The chat-completions format has no cache breakpoints on tools",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The schema does not meet the rules of strict tools",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The chat-completions format allows at most 64 letters, digits, _ and - here",
  ),
  toolNamespace: note(
    "tools[i].namespace",
    "emulated",
    "The chat-completions format has no namespaces, so the tool's name includes it",
  ),
  hostedTool: note(
    "tools[i]",
    "dropped",
    "Upstreams of the chat-completions format do not run this tool",
  ),
  webSearch: note("tools[i]", "dropped", "Only search models accept web search in this format"),
  refusedMember: note("field", "dropped", "This upstream does not accept this setting"),
  outputSchema: note(
    "output",
    "emulated",
    "This upstream does not accept a schema for the answer, so an instruction states it",
  ),
  toolCustom: note("tools[i]", "emulated", "A free-text tool is sent as a function with one text"),
  cacheMark: note(
    "turns[i].parts[j].cache",
    "dropped",
    "This upstream does not accept cache breakpoints",
  ),
  searchDomains: note(
    "tools[i].allowedDomains",
    "dropped",
    "Web search of the chat-completions format cannot be limited to domains",
  ),
  searchUses: note(
    "tools[i].maxUses",
    "dropped",
    "Web search of the chat-completions format cannot limit its uses",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
