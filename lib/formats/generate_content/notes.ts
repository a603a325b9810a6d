import { clamped, dropped, emulated, type Note, repaired } from "../../canonical/mod.ts";
import { foreignNotes, TableNotes } from "../notes.ts";
import { format } from "./native.ts";

/** Everything that a conversion to this format can lose or change, for the code and for the documents. */
export const noteTable = {
  ...foreignNotes,
  logitBias: dropped("sampling.logitBias", "The generate-content format has no logit bias"),
  seed: dropped("sampling.seed", "The generate-content format accepts a seed of 32 bits"),
  stopSequences: clamped(
    "sampling.stopSequences",
    "The generate-content format accepts five stop sequences, so the first five are sent",
  ),
  temperature: clamped("sampling.temperature", "The generate-content format accepts at most 2"),
  parallelToolCalls: dropped(
    "parallelToolCalls",
    "The generate-content format cannot forbid parallel calls",
  ),
  maxToolCalls: dropped(
    "limits.maxToolCalls",
    "The generate-content format cannot limit the number of tool calls",
  ),
  verbosity: dropped("verbosity", "The generate-content format has no verbosity"),
  endUser: dropped("endUser", "The generate-content format has no field for the end user"),
  metadata: dropped("metadata", "The generate-content format has only billing labels"),
  serviceTier: dropped("serviceTier", "The generate-content format has no such service tier"),
  store: dropped("store", "The generate-content format does not store answers"),
  outputInstruction: emulated(
    "output",
    "This model does not accept JSON mode with functions, so an instruction requests JSON",
  ),
  outputDescription: emulated(
    "output.description",
    "The generate-content format has no description of a schema, so an instruction states it",
  ),
  reasoningUnsupported: dropped("reasoning", "This model does not accept thinking settings"),
  reasoningBudget: clamped("reasoning.budgetTokens", "The budget is outside the model's range"),
  reasoningBudgetAsLevel: emulated(
    "reasoning.budgetTokens",
    "This model accepts a thinking level instead of a budget",
  ),
  reasoningDisabled: clamped(
    "reasoning",
    "Thinking cannot be switched off for this model, so the lowest setting is sent",
  ),
  reasoningEffort: clamped("reasoning.effort", "The nearest level of this model is sent"),
  userTurn: repaired("turns", "The prompt did not begin with a user message, so one was added"),
  systemTurn: emulated(
    "turns[i]",
    "A system message between turns is sent as marked text of the user",
  ),
  reasoningPart: dropped("turns[i].parts[j]", "Another vendor's reasoning cannot be replayed"),
  assistantMedia: dropped(
    "turns[i].parts[j]",
    "The generate-content format cannot replay audio that another vendor stores",
  ),
  transcript: emulated(
    "turns[i].parts[j]",
    "Audio that another vendor stores is replayed as its transcript",
  ),
  refusal: emulated("turns[i].parts[j]", "A refusal is sent as text"),
  citations: dropped(
    "turns[i].parts[j].citations",
    "The generate-content format does not accept citations in a request",
  ),
  imageDetail: dropped(
    "turns[i].parts[j].detail",
    "Not every model of this format accepts a detail level for a single image",
  ),
  customCall: emulated("turns[i].parts[j]", "A call of a free-text tool is sent as a function"),
  argumentsInvalid: repaired(
    "turns[i].parts[j].arguments",
    "Arguments that are not a JSON object are sent in a member named input",
  ),
  toolName: emulated(
    "tools[i].name",
    "The generate-content format allows at most 128 letters, digits and _.:- here",
  ),
  toolNamespace: emulated("tools[i].namespace", "The namespace is prepended to the tool's name"),
  toolStrict: dropped(
    "tools[i].strict",
    "In the generate-content format either all functions are strict, or none",
  ),
  customTool: emulated("tools[i]", "A free-text tool is sent as a function with one text"),
  hostedChoice: dropped(
    "toolChoice",
    "Only functions can be forced in the generate-content format, so the model chooses",
  ),
  toolMix: dropped("tools[i]", "This model does not accept hosted tools together with functions"),
  toolSetting: dropped(
    "tools[i].setting",
    "Hosted tools of the generate-content format have no such setting",
  ),
} as const satisfies Record<string, Note>;

/** The notes of one conversion to this format. */
export class Notes extends TableNotes<keyof typeof noteTable> {
  constructor() {
    super(format, noteTable);
  }
}
