import { type AssistantReply, fill } from "../../lib/playground/mod.ts";
import type { PlaygroundTexts } from "./texts.ts";

/** The announcement for screen readers when an answer ends. */
export function news({ model, state, answer }: AssistantReply, texts: PlaygroundTexts): string {
  if (state === "stopped") return texts.stopped;
  if (state !== "whole") return fill(texts.finishedBadly, { model });
  return fill(answer.calls.length > 0 ? texts.calledTools : texts.finished, { model });
}
