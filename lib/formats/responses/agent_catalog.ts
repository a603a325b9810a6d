import type { JsonObject } from "../../canonical/mod.ts";
import { encodeModel, type ModelCard } from "../models.ts";
import { defined } from "../wire_value.ts";

/** A model's facts in an agent's catalogue. */
type AgentModel =
  & Pick<ModelCard, "id" | "contextWindow" | "capabilities" | "formats">
  & Partial<Pick<ModelCard, "displayName">>;

/**
 * The model list as Codex reads it from its `model_catalog_url` (0.171.0, 2026-11-30): `models`,
 * beside OpenAI's own list.
 */
export function encodeAgentList(cards: readonly ModelCard[]): JsonObject {
  const data = cards.map((card) => plainModel(encodeModel(card)));
  return { object: "list", data, models: encodeAgentModels(cards, bytesMax - bytesOf(data)) };
}

/**
 * The entries of the models, also for the file that Codex's `model_catalog_json` names. Codex
 * refuses the whole list for one entry without a required member, and a body of more than 1 MiB.
 * Models that do not fit are left out, those of unknown limits first: Codex calls them with its
 * defaults.
 */
export function encodeAgentModels(models: readonly AgentModel[], room = bytesMax): JsonObject[] {
  let left = room;
  return models.filter(({ formats }) => formats.includes("responses"))
    .toSorted((a, b) => Number(isUnknown(a)) - Number(isUnknown(b)))
    .map(entryOf)
    .filter((entry) => (left -= bytesOf(entry) + 1) >= 0);
}

const bytesMax = 1_000_000;

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function isUnknown({ contextWindow }: AgentModel): boolean {
  return contextWindow === undefined;
}

/** A row with the members of the vendor alone, which are short. */
function plainModel({ id, object, created, owned_by }: JsonObject): JsonObject {
  return defined({ id, object, created, owned_by });
}

const levels = ["low", "medium", "high"].map((effort) => ({ effort, description: "" }));

/** Required, and sent instead of the agent's own prompt. */
const instructions = [
  "You are a coding agent in the user's terminal. Work until the task is done.",
  "Read the code before you change it. Make the smallest change that does the task, in the style of the code around it, with apply_patch.",
  "Run what proves the change: tests, builds, the program itself. Never undo changes that are not yours, and never commit unless asked.",
  "Then report briefly what you changed and what you ran.",
].join("\n");

function entryOf({ id, displayName, contextWindow, capabilities }: AgentModel): JsonObject {
  const reasons = capabilities.includes("reasoning");
  return {
    slug: id,
    display_name: displayName ?? id,
    supported_reasoning_levels: reasons ? levels : [],
    ...(reasons && { default_reasoning_level: "medium" }),
    shell_type: "shell_command",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    base_instructions: instructions,
    supports_reasoning_summaries: reasons,
    support_verbosity: false,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    supports_parallel_tool_calls: true,
    input_modalities: ["text", ...capabilities.includes("vision") ? ["image"] : []],
    ...(contextWindow !== undefined && {
      context_window: contextWindow,
      max_context_window: contextWindow,
    }),
    experimental_supported_tools: [],
    prefer_websockets: true, // for providers that are set up with them; one that answers 426 gets POSTs
  };
}
