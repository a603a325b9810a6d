import type { Part } from "./content.ts";
import type { CanonicalEvent, PartPatch } from "./event.ts";
import { keepLogprobs, type TokenLogprob } from "./logprob.ts";
import type { CanonicalResponse, Ending } from "./response.ts";

/**
 * The events of a whole answer: the inverse of `collect`. A text, refusal, reasoning or call part
 * becomes a start, one delta and an end.
 */
export function eventsOf(response: CanonicalResponse): CanonicalEvent[] {
  const { id, model, createdAtMs, native, usage } = response;
  const events: CanonicalEvent[] = [{
    type: "start",
    id,
    model,
    ...(createdAtMs !== undefined && { createdAtMs }),
    ...(usage && { usage }),
    ...(native && { native }),
  }];
  let index = 0;
  for (const [alternative, { parts }] of response.alternatives.entries()) {
    for (const part of parts) events.push(...partEvents(part, index++, alternative));
  }
  if (usage) events.push({ type: "usage", usage });
  events.push({ type: "end", endings: response.alternatives.map(endingOf) });
  return events;
}

/** The events of a whole part: a growing kind starts empty and has one delta. */
export function partEvents(part: Part, index: number, alternative = 0): CanonicalEvent[] {
  const { opened, text, logprobs } = emptied(part);
  const grows = text !== "" || logprobs !== undefined;
  return [
    { type: "part-start", index, ...(alternative > 0 && { alternative }), part: opened },
    ...(grows ? [{ type: "part-delta", index, text, ...keepLogprobs(logprobs) } as const] : []),
    { type: "part-end", index, ...patchOf(part) },
  ];
}

interface Emptied {
  readonly opened: Part;
  readonly text: string;
  readonly logprobs?: readonly TokenLogprob[];
}

/** Splits a part into its start without text, and its text with its tokens for one delta. */
function emptied(part: Part): Emptied {
  switch (part.type) {
    case "text":
    case "refusal": {
      const { logprobs, ...opened } = part;
      return { opened: { ...opened, text: "" }, text: part.text, ...keepLogprobs(logprobs) };
    }
    case "reasoning":
      return { opened: { ...part, text: "" }, text: part.text };
    case "tool-call":
      return { opened: { ...part, arguments: "" }, text: part.arguments };
    default:
      return { opened: part, text: "" };
  }
}

function patchOf(part: Part): { patch?: PartPatch } {
  const { continuation, native } = part;
  const citations = part.type === "text" ? part.citations : undefined;
  if (!continuation && !native && !citations) return {};
  return {
    patch: {
      ...(continuation && { continuation }),
      ...(citations && { citations }),
      ...(native && { native }),
    },
  };
}

function endingOf(
  { finishReason, stopSequence, promptBlocked, logprobs, native }: Ending,
): Ending {
  return {
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(promptBlocked && { promptBlocked }),
    ...keepLogprobs(logprobs),
    ...(native && { native }),
  };
}
