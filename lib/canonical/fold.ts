import type {
  CanonicalEvent,
  CanonicalResponse,
  EndEvent,
  Ending,
  PartDeltaEvent,
  PartPatch,
  StartEvent,
} from "./answer.ts";
import type { Part } from "./content.ts";
import type { NativeFields } from "./format.ts";
import { addTokens, keepLogprobs, type TokenLogprob } from "./logprob.ts";
import type { Usage } from "./usage.ts";

interface CollectedPart {
  readonly alternative: number;
  part: Part;
  readonly text: string[];
  readonly logprobs: TokenLogprob[];
}

/** The open and closed parts of an answer so far. */
interface Collected {
  start?: StartEvent;
  readonly parts: CollectedPart[];
  usage?: Usage;
  end?: EndEvent;
}

/**
 * Folds the events of one answer into the whole answer. Throws the stream's own error if it ended
 * in one, and a `TypeError` if the events break the laws of `CanonicalEvent` (a bug in a decoder,
 * never bad input).
 */
export function collect(events: Iterable<CanonicalEvent>): CanonicalResponse {
  const collector = new Collector();
  for (const event of events) collector.push(event);
  return collector.response();
}

/** The same fold, one event at a time. */
export class Collector {
  readonly #state: Collected = { parts: [] };

  push(event: CanonicalEvent): void {
    const state = this.#state;
    switch (event.type) {
      case "start":
        state.start = event;
        return;
      case "part-start":
        state.parts[event.index] = {
          alternative: event.alternative ?? 0,
          part: event.part,
          text: [],
          logprobs: [],
        };
        return;
      case "part-delta":
        grow(this.#part(event.index), event);
        return;
      case "part-end": {
        const entry = this.#part(event.index);
        entry.part = closed(entry, event.patch);
        return;
      }
      case "usage":
        state.usage = event.usage;
        return;
      case "end":
        state.end = event;
        return;
      case "error":
        throw event.error;
      default:
        event satisfies never;
    }
  }

  /** The whole answer; call it once, after the end event. */
  response(): CanonicalResponse {
    const { start, parts, usage, end } = this.#state;
    if (!start || !end) {
      throw new TypeError("The events of an answer lack their start or their end");
    }
    return {
      id: start.id,
      model: start.model,
      ...(start.createdAtMs !== undefined && { createdAtMs: start.createdAtMs }),
      alternatives: end.endings.map((ending, alternative) => ({
        ...ending,
        parts: parts.filter((entry) => entry.alternative === alternative).map(({ part }) => part),
      })),
      ...(usage && { usage }),
      ...nativeOf(start.native, end.native),
    };
  }

  #part(index: number): CollectedPart {
    const entry = this.#state.parts[index];
    if (!entry) throw new TypeError(`Part ${index} was never opened`);
    return entry;
  }
}

function grow(entry: CollectedPart, { text, logprobs }: PartDeltaEvent): void {
  entry.text.push(text);
  addTokens(entry.logprobs, logprobs);
}

function closed({ part, text, logprobs }: CollectedPart, patch: PartPatch = {}): Part {
  const whole = withText(part, text.join(""));
  return { ...whole, ...keepLogprobs(logprobs), ...patch } as Part; // sound: a patch has only fields that the part may have
}

function withText(part: Part, text: string): Part {
  switch (part.type) {
    case "text":
    case "refusal":
    case "reasoning":
      return { ...part, text: part.text + text };
    case "tool-call":
      return { ...part, arguments: part.arguments + text };
    default:
      return part;
  }
}

function nativeOf(start?: NativeFields, end?: NativeFields): { native?: NativeFields } {
  if (!start && !end) return {};
  const format = (start ?? end as NativeFields).format; // sound: one of the two exists
  return { native: { format, fields: { ...start?.fields, ...end?.fields } } };
}

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

/** Splits a part into its start without text, and its text with its tokens for one delta. */
function emptied(
  part: Part,
): { opened: Part; text: string; logprobs?: readonly TokenLogprob[] } {
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
