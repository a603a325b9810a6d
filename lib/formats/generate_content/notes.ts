import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  logitBias: note("sampling.logitBias", "dropped", "The generate-content format has no logit bias"),
  seed: note("sampling.seed", "dropped", "The generate-content format takes a seed of 32 bits"),
  stopSequences: note(
    "sampling.stopSequences",
    "clamped",
    "The generate-content format takes five stop sequences, so the first five are sent",
  ),
  temperature: note(
    "sampling.temperature",
    "clamped",
    "The generate-content format takes 2 at most",
  ),
  parallelToolCalls: note(
    "parallelToolCalls",
    "dropped",
    "The generate-content format cannot forbid parallel calls",
  ),
  maxToolCalls: note(
    "limits.maxToolCalls",
    "dropped",
    "The generate-content format has no limit of tool calls",
  ),
  verbosity: note("verbosity", "dropped", "The generate-content format has no verbosity"),
  endUser: note("endUser", "dropped", "The generate-content format has no end user"),
  metadata: note("metadata", "dropped", "The generate-content format has only billing labels"),
  serviceTier: note(
    "serviceTier",
    "dropped",
    "The generate-content format has no such service tier",
  ),
  store: note("store", "dropped", "The generate-content format keeps no answers for later"),
  outputInstruction: note(
    "output",
    "emulated",
    "This model takes no JSON mode beside functions, so an instruction asks for it",
  ),
  outputDescription: note(
    "output.description",
    "emulated",
    "The generate-content format describes no schema, so an instruction states the description",
  ),
  reasoningUnsupported: note("reasoning", "dropped", "This model takes no thinking settings"),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "clamped",
    "The budget is outside of the model's range",
  ),
  reasoningBudgetAsLevel: note(
    "reasoning.budgetTokens",
    "emulated",
    "This model takes a level of thinking instead of a budget",
  ),
  reasoningDisabled: note(
    "reasoning",
    "clamped",
    "Thinking of this model cannot be switched off, so it is set to the least",
  ),
  reasoningEffort: note(
    "reasoning.effort",
    "clamped",
    "The nearest level that this model knows is sent",
  ),
  userTurn: note(
    "turns",
    "repaired",
    "The prompt had no message, so a user message was added",
  ),
  systemTurn: note(
    "turns[i]",
    "emulated",
    "A system message between turns is sent as a marked text of the user",
  ),
  reasoningPart: note(
    "turns[i].parts[j]",
    "dropped",
    "Reasoning that another vendor issued cannot be replayed",
  ),
  refusal: note("turns[i].parts[j]", "emulated", "A refusal is sent as text"),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "The generate-content format takes no citations in a request",
  ),
  imageDetail: note(
    "turns[i].parts[j].detail",
    "dropped",
    "The detail of one image is not known to all models of this format",
  ),
  customCall: note(
    "turns[i].parts[j]",
    "emulated",
    "A call of a free-text tool is sent as a function",
  ),
  argumentsInvalid: note(
    "turns[i].parts[j].arguments",
    "repaired",
    "Arguments that are no JSON object are sent as the member input",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The generate-content format takes letters, digits and _.:- in a name (128 at most)",
  ),
  toolNamespace: note(
    "tools[i].namespace",
    "emulated",
    "A namespace is put before the tool's name",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "The generate-content format has all functions strict, or none",
  ),
  customTool: note("tools[i]", "emulated", "A free-text tool is sent as a function with one text"),
  hostedChoice: note(
    "toolChoice",
    "dropped",
    "Only functions can be forced in the generate-content format, so the model chooses",
  ),
  toolMix: note("tools[i]", "dropped", "This model takes no hosted tools beside functions"),
  toolSetting: note(
    "tools[i].setting",
    "dropped",
    "Hosted tools of the generate-content format have no such setting",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
