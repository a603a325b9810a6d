import type { CanonicalRequest } from "../../canonical/mod.ts";
import { draftCalls } from "./calls.ts";
import type { Draft } from "./drafted_part.ts";
import type { Prompt } from "./prompt.ts";
import { reply } from "./reply.ts";
import { draftThoughts } from "./thought.ts";

const alternativesMax = 128;

/** The parts of each alternative, in order: a thought, words, calls. */
export function draftAlternatives(
  request: CanonicalRequest,
  prompt: Prompt,
  requestId: string,
): readonly (readonly Draft[])[] {
  const asked = Math.trunc(request.sampling.alternatives ?? 1) || 1;
  return Array.from(
    { length: Math.min(alternativesMax, Math.max(1, asked)) },
    (_, alternative) => [
      ...draftThoughts(request, prompt),
      ...draftAnswer(request, prompt, { seed: `${requestId}.${alternative}`, alternative }),
    ],
  );
}

function draftAnswer(
  request: CanonicalRequest,
  prompt: Prompt,
  { seed, alternative }: { seed: string; alternative: number },
): readonly Draft[] {
  const { calls, refusals } = draftCalls(request, prompt, seed);
  const silent = calls.length > 0 || refusals.length > 0;
  const text = silent ? refusals.join("\n") : reply(request, prompt, alternative);
  return text === "" ? calls : [{ part: { type: "text", text: "" }, text }, ...calls];
}
