import { fill, type Reply } from "../../lib/playground/mod.ts";
import type { PlaygroundTexts } from "./texts.ts";

/** What an answer's end is told as. */
export function news({ model, state, answer }: Reply, texts: PlaygroundTexts): string {
  if (state === "stopped") return texts.stopped;
  if (state !== "whole") return fill(texts.finishedBadly, { model });
  return fill(answer.calls.length > 0 ? texts.calledTools : texts.finished, { model });
}
