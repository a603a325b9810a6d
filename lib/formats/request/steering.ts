import { asksLogprobs, type Sampling } from "../../canonical/mod.ts";
import type { settingNotes, TableNotes } from "../notes.ts";

/** Notes the sampling settings that reasoning models refuse (2025-11). */
export function noteSteering(
  sampling: Sampling,
  notes: Pick<TableNotes<keyof typeof settingNotes>, "add">,
): void {
  if (sampling.temperature !== undefined) notes.add("temperature");
  if (sampling.topP !== undefined) notes.add("topP");
  if (asksLogprobs(sampling)) notes.add("logprobs");
}
