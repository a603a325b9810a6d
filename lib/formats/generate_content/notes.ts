import type { Note } from "../../canonical/mod.ts";
import { foreignNotes, note, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  logitBias: note("sampling.logitBias", "dropped", "The generate-content format has no logit bias"),
  seed: note("sampling.seed", "dropped", "The generate-content format accepts a seed of 32 bits"),
  stopSequences: note(
    "sampling.stopSequences",
    "clamped",
    "The generate-content format accepts five stop sequences, so the first five are sent",
  ),
  temperature: note(
    "sampling.temperature",
    "clamped",
    "The generate-content format accepts at most 2",
  ),
  parallelToolCalls: note(
    "parallelToolCalls",
    "dropped",
    "The generate-content format cannot forbid parallel calls",
  ),
  maxToolCalls: note(
    "limits.maxToolCalls",
    "dropped",
    "The generate-content format cannot limit the number of tool calls",
  ),
  verbosity: note("verbosity", "dropped", "The generate-content format has no verbosity"),
  endUser: note("endUser", "dropped", "The generate-content format has no field for the end user"),
  metadata: note("metadata", "dropped", "The generate-content format has only billing labels"),
  serviceTier: note(
    "serviceTier",
    "dropped",
    "The generate-content format has no such service tier",
  ),
  store: note("store", "dropped", "The generate-content format does not store answers"),
  outputInstruction: note(
    "output",
    "emulated",
    "This model does not accept JSON mode with functions, so an instruction requests JSON",
  ),
  outputDescription: note(
    "output.description",
    "emulated",
    "The generate-content format has no description of a schema, so an instruction states it",
  ),
  reasoningUnsupported: note(
    "reasoning",
    "dropped",
    "This model does not accept thinking settings",
  ),
  reasoningBudget: note(
    "reasoning.budgetTokens",
    "clamped",
    "The budget is outside the model's range",
  ),
  reasoningBudgetAsLevel: note(
    "reasoning.budgetTokens",
    "emulated",
    "This model accepts a thinking level instead of a budget",
  ),
  reasoningDisabled: note(
    "reasoning",
    "clamped",
    "Thinking cannot be switched off for this model, so the lowest setting is sent",
  ),
  reasoningEffort: note(
    "reasoning.effort",
    "clamped",
    "The nearest level of this model is sent",
  ),
  userTurn: note(
    "turns",
    "repaired",
    "The prompt had no message, so a user message was added",
  ),
  systemTurn: note(
    "turns[i]",
    "emulated",
    "A system message between turns is sent as marked text of the user",
  ),
  reasoningPart: note(
    "turns[i].parts[j]",
    "dropped",
    "Another vendor's reasoning cannot be replayed",
  ),
  refusal: note("turns[i].parts[j]", "emulated", "A refusal is sent as text"),
  citations: note(
    "turns[i].parts[j].citations",
    "dropped",
    "The generate-content format does not accept citations in a request",
  ),
  imageDetail: note(
    "turns[i].parts[j].detail",
    "dropped",
    "Not every model of this format accepts a detail level for a single image",
  ),
  customCall: note(
    "turns[i].parts[j]",
    "emulated",
    "A call of a free-text tool is sent as a function",
  ),
  argumentsInvalid: note(
    "turns[i].parts[j].arguments",
    "repaired",
    "Arguments that are not a JSON object are sent in a member named input",
  ),
  toolName: note(
    "tools[i].name",
    "emulated",
    "The generate-content format allows at most 128 letters, digits and _.:- here",
  ),
  toolNamespace: note(
    "tools[i].namespace",
    "emulated",
    "The namespace is prepended to the tool's name",
  ),
  toolStrict: note(
    "tools[i].strict",
    "dropped",
    "In the generate-content format either all functions are strict, or none",
  ),
  customTool: note("tools[i]", "emulated", "A free-text tool is sent as a function with one text"),
  hostedChoice: note(
    "toolChoice",
    "dropped",
    "Only functions can be forced in the generate-content format, so the model chooses",
  ),
  toolMix: note(
    "tools[i]",
    "dropped",
    "This model does not accept hosted tools together with functions",
  ),
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
