import type { CanonicalEvent, PartDeltaEvent, PartEndEvent, PartStartEvent } from "./answer.ts";
import { addTokens, byteLengthOfToken, keepLogprobs, type TokenLogprob } from "./logprob.ts";
import type { Usage } from "./usage.ts";

/**
 * Ends an answer at the first stop sequence in its text, for upstreams whose format has none (or
 * fewer). Holds back only text that may start one. The sequence itself is left out, as all vendors
 * do. Later text is never delivered, so the usage is that of the delivered text.
 */
export class StopScanner {
  readonly #stops: readonly string[];
  /** Maximum characters of an incomplete sequence at the end. */
  readonly #tailChars: number;
  readonly #usageOf: (delivered: string) => Usage;
  #open?: number;
  #held = "";
  /** Tokens of the open part that are not delivered: each waits for its last character. */
  #tokens: TokenLogprob[] = [];
  /** Bytes of delivered text whose tokens are not. */
  #bytes = 0;
  #delivered = "";
  #stopped = false;

  /** `usageOf` counts the delivered text; called once, when the answer is cut. */
  constructor(stops: readonly string[], usageOf: (delivered: string) => Usage) {
    this.#stops = stops.filter((stop) => stop !== "");
    this.#tailChars = Math.max(0, ...this.#stops.map(({ length }) => length)) - 1;
    this.#usageOf = usageOf;
  }

  /** Returns the events to deliver; none after the cut. */
  push(event: CanonicalEvent): readonly CanonicalEvent[] {
    if (this.#stopped) return [];
    switch (event.type) {
      case "part-start":
        return this.#start(event);
      case "part-delta":
        return event.index === this.#open ? this.#scan(event) : this.#pass(event);
      case "part-end":
        return event.index === this.#open ? this.#close(event) : [event];
      case "start":
      case "usage":
      case "end":
      case "error":
        return [event];
      default:
        return event satisfies never;
    }
  }

  #start(event: PartStartEvent): readonly CanonicalEvent[] {
    if (event.part.type !== "text" || event.alternative) return [event];
    this.#open = event.index;
    this.#tokens = [];
    this.#bytes = 0;
    const { text } = event.part;
    const empty = { ...event, part: { ...event.part, text: "" } };
    return text === ""
      ? [event]
      : [empty, ...this.#scan({ type: "part-delta", index: event.index, text })];
  }

  #pass(event: PartDeltaEvent): readonly CanonicalEvent[] {
    this.#delivered += event.text;
    return [event];
  }

  #scan({ index, text, logprobs }: PartDeltaEvent): readonly CanonicalEvent[] {
    this.#held += text;
    addTokens(this.#tokens, logprobs);
    const found = earliest(this.#held, this.#stops);
    if (found) return this.#cut(index, found);
    const safe = beforePair(this.#held, this.#held.length - this.#tailChars);
    return safe > 0 ? this.#release(index, safe) : [];
  }

  #release(index: number, chars: number): readonly CanonicalEvent[] {
    const text = this.#held.slice(0, chars);
    this.#held = this.#held.slice(chars);
    if (text === "") return [];
    this.#delivered += text;
    return [{ type: "part-delta", index, text, ...keepLogprobs(this.#takeTokens(text)) }];
  }

  /** The tokens that end within the delivered text: one that the cut divides says more than it. */
  #takeTokens(text: string): readonly TokenLogprob[] {
    if (this.#tokens.length === 0) return [];
    this.#bytes += new TextEncoder().encode(text).length;
    const after = this.#tokens.findIndex((token) => {
      const left = this.#bytes - byteLengthOfToken(token);
      if (left >= 0) this.#bytes = left;
      return left < 0;
    });
    return this.#tokens.splice(0, after < 0 ? this.#tokens.length : after);
  }

  #close(event: PartEndEvent): readonly CanonicalEvent[] {
    const { index } = event;
    this.#open = undefined;
    const said = this.#release(index, this.#held.length);
    const late = this.#tokens.splice(0);
    if (late.length === 0) return [...said, event];
    return [...said, { type: "part-delta", index, text: "", logprobs: late }, event];
  }

  #cut(index: number, { at, stop }: Found): readonly CanonicalEvent[] {
    this.#stopped = true;
    return [
      ...this.#release(index, at),
      { type: "part-end", index },
      { type: "usage", usage: this.#usageOf(this.#delivered), counted: true },
      { type: "end", endings: [{ finishReason: "stop-sequence", stopSequence: stop }] },
    ];
  }
}

/** A position that does not divide a character of two UTF-16 units. */
function beforePair(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

interface Found {
  readonly at: number;
  readonly stop: string;
}

/**
 * The sequence that is complete first, as a model would find it while writing; of two that end
 * together, the longer. So the result does not depend on how the text was split.
 */
function earliest(text: string, stops: readonly string[]): Found | undefined {
  let best: Found | undefined;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at >= 0 && (!best || isBefore({ at, stop }, best))) best = { at, stop };
  }
  return best;
}

function isBefore(a: Found, b: Found): boolean {
  const [end, otherEnd] = [a.at + a.stop.length, b.at + b.stop.length];
  return end < otherEnd || (end === otherEnd && a.stop.length > b.stop.length);
}
