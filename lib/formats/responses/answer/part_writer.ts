import {
  addTokens,
  type CanonicalEvent,
  type JsonObject,
  keepLogprobs,
  type Part,
  partEvents,
  type PartPatch,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { decodeTokens } from "../../answer/logprobs.ts";

/** The open part of an item. */
interface OpenPart {
  readonly index: number;
  readonly part: Part;
  /** The content index; for reasoning, the index of the last piece. */
  piece: number;
  text: string;
  readonly tokens: TokenLogprob[];
  readonly annotations: JsonObject[];
  /** The content part as its end states it. */
  content: JsonObject;
}

/** Writes the parts of one item, one at a time. `parts` counts the parts of the whole answer. */
export class PartWriter {
  readonly #parts: { count: number };
  open?: OpenPart;
  /** Number of parts opened. */
  emitted = 0;

  constructor(parts: { count: number }) {
    this.#parts = parts;
  }

  whole(part: Part): CanonicalEvent[] {
    this.emitted++;
    return partEvents(part, this.#parts.count++);
  }

  start(part: Part, piece: number): CanonicalEvent[] {
    this.emitted++;
    this.open = {
      index: this.#parts.count++,
      part,
      piece,
      text: "",
      tokens: [],
      annotations: [],
      content: {},
    };
    return [{ type: "part-start", index: this.open.index, part }];
  }

  delta(text: string, tokens: readonly TokenLogprob[] = []): CanonicalEvent[] {
    if (!this.open || (text === "" && tokens.length === 0)) return [];
    this.open.text += text;
    addTokens(this.open.tokens, tokens);
    return [{ type: "part-delta", index: this.open.index, text, ...keepLogprobs(tokens) }];
  }

  /** Writes the rest of `whole` after the deltas. If both disagree, the deltas count. */
  tail(whole: string): CanonicalEvent[] {
    const sent = this.open?.text ?? "";
    return whole.length > sent.length && whole.startsWith(sent)
      ? this.delta(whole.slice(sent.length))
      : [];
  }

  end(patch: PartPatch): CanonicalEvent[] {
    const open = this.open;
    if (!open) return [];
    const empty = open.part.type === "tool-call" && open.part.kind === "function" &&
      open.text === "";
    const events = empty ? this.delta("{}") : [];
    this.open = undefined;
    const said = Object.keys(patch).length > 0;
    return [...events, { type: "part-end", index: open.index, ...(said && { patch }) }];
  }
}

/** All tokens of a finished text, if its deltas lacked some or their bytes. */
export function lateTokens(said: readonly TokenLogprob[], { logprobs }: JsonObject): PartPatch {
  const tokens = decodeTokens(logprobs);
  return JSON.stringify(tokens) === JSON.stringify(said) ? {} : keepLogprobs(tokens);
}
