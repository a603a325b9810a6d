import { clamped, dropped, emulated, type Note } from "../../canonical/mod.ts";
import { foreignNotes, settingNotes, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  topK: dropped("sampling.topK", "The chat-completions format has no top-k sampling"),
  stopSequences: clamped(
    "sampling.stopSequences",
    "The chat-completions format accepts four stop sequences, so the first four are sent",
  ),
  maxToolCalls: dropped(
    "limits.maxToolCalls",
    "The chat-completions format cannot limit the number of tool calls",
  ),
  reasoningBudget: emulated(
    "reasoning.budgetTokens",
    "The chat-completions format has an effort instead of a budget",
  ),
  outputName: emulated(
    "output.name",
    "The chat-completions format allows at most 64 letters, digits, _ and - here",
  ),
  ...settingNotes,
  serviceTier: dropped("serviceTier", "The chat-completions format has no such tier"),
  safety: dropped("safety", "The chat-completions format has no safety settings"),
  reasoning: dropped(
    "turns[i].parts[j]",
    "Only reasoning from an upstream of the chat-completions format can be replayed to it",
  ),
  assistantMedia: dropped(
    "turns[i].parts[j]",
    "The chat-completions format cannot replay an assistant's media",
  ),
  misplaced: dropped(
    "turns[i].parts[j]",
    "The chat-completions format does not allow this part in a message of this role",
  ),
  citations: dropped(
    "turns[i].parts[j].citations",
    "The chat-completions format does not accept citations in a request",
  ),
  cache: dropped(
    "turns[i].parts[j].cache",
    "The chat-completions format has no cache breakpoint at this place",
  ),
  cacheTtl: clamped(
    "turns[i].parts[j].cache.ttl",
    "Cache breakpoints of the chat-completions format last 30 minutes",
  ),
  textFile: emulated(
    "turns[i].parts[j]",
    "The chat-completions format does not accept text files, so the text itself is sent",
  ),
  toolError: emulated(
    "turns[i].parts[j].isError",
    "The chat-completions format has no error flag, so the error is marked in the text",
  ),
  toolMedia: emulated(
    "turns[i].parts[j].parts[k]",
    "Tool messages accept only text, so the media follow in a user message",
  ),
  toolCache: dropped(
    "tools[i].cache",
    "The chat-completions format has no cache breakpoints on tools",
  ),
  toolName: emulated(
    "tools[i].name",
    "The chat-completions format allows at most 64 letters, digits, _ and - here",
  ),
  toolNamespace: emulated(
    "tools[i].namespace",
    "The chat-completions format has no namespaces, so the tool's name includes it",
  ),
  hostedTool: dropped("tools[i]", "Upstreams of the chat-completions format do not run this tool"),
  webSearch: dropped("tools[i]", "Only search models accept web search in this format"),
  refusedMember: dropped("field", "This upstream does not accept this setting"),
  outputSchema: emulated(
    "output",
    "This upstream does not accept a schema for the answer, so an instruction states it",
  ),
  toolCustom: emulated("tools[i]", "A free-text tool is sent as a function with one text"),
  cacheMark: dropped("turns[i].parts[j].cache", "This upstream does not accept cache breakpoints"),
  searchDomains: dropped(
    "tools[i].allowedDomains",
    "Web search of the chat-completions format cannot be limited to domains",
  ),
  searchUses: dropped(
    "tools[i].maxUses",
    "Web search of the chat-completions format cannot limit its uses",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
