import { isJsonObject, type JsonObject, type JsonValue } from "../canonical/mod.ts";
import { byteLengthOf, type ReadText, searchedText } from "../json/mod.ts";
import { mediumPatterns, nonTextTokens } from "./media.ts";
import { estimatedTextTokens } from "./text.ts";

/**
 * An upper bound of a prompt's tokens, for a reservation: no tokenizer, no decoding, one walk over
 * the parsed body of any format. Practically never below `countRequestTokens` of the same request;
 * for prose about half above it. Takes a few milliseconds per megabyte. Every string counts as
 * text, including its member's name, except media at positions where formats hold them, which cost
 * as in `media.ts` (an image always the maximum), and continuations that only their vendor reads.
 * Data that an upstream stores or fetches itself does not count: stored prompts, earlier responses,
 * pages of a search.
 */
export function estimatedInputTokens(body: JsonObject): number {
  const known = estimated.get(body);
  if (known !== undefined) return known;
  const walk = new Walk(body);
  while (walk.step());
  return remembered(body, walk);
}

/**
 * The same for a long body, ahead of time: calls `giveWay` between its pieces, which may delay it.
 * A later `estimatedInputTokens` of the same body reuses a result of at least
 * `rememberedTokensMin`.
 */
export async function estimateAhead(
  body: JsonObject,
  giveWay: () => Promise<void> | undefined,
): Promise<void> {
  const walk = new Walk(body);
  while (walk.step()) await giveWay();
  remembered(body, walk);
}

const estimated = new WeakMap<JsonObject, number>();
/** Estimating a shorter prompt again costs less than the garbage collector's work for its entry. */
const rememberedTokensMin = 4_096;

function remembered(body: JsonObject, { tokens }: Walk): number {
  const whole = Math.ceil(tokens - floatErrorMax);
  if (whole >= rememberedTokensMin) estimated.set(body, whole);
  return whole;
}

/** The sum of exact hundredths may come out a little above a whole number. */
const floatErrorMax = 1e-6;

/** A longer text is counted in parts; a step takes about as long as this many characters. */
const stepChars = 128 * 1024;
const scalarChars = 16;
/** Deeper values are queued instead of counted by a call of their own. */
const callsMax = 32;

/** A value that is not counted yet, or only in part, and the name of its member. */
interface Node {
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly left?: Left | undefined;
}

/** The items left of an array that is counted in part, or the names left of an object. */
interface Left {
  readonly items?: ArrayIterator<JsonValue>;
  readonly members?: ArrayIterator<string>;
}

/**
 * A walk over a body that can pause, also between the members of a large object. It keeps its own
 * stack of what is left: as a generator it took three times as long, and a recursion alone would end
 * at deep bodies.
 */
class Walk {
  tokens: number;
  /** Characters since the last pause. */
  #chars = 0;
  /** The calls that count a value inside another. */
  #calls = 0;
  /** The last one is counted next. */
  readonly #waiting: Node[] = [];

  constructor(body: JsonObject) {
    this.tokens = requestTokens + toolPromptTokens(body.tools);
    this.#wait("", body);
  }

  /** Counts until the next pause; false once everything is counted. */
  step(): boolean {
    this.#chars = 0;
    for (let node = this.#waiting.pop(); node; node = this.#waiting.pop()) {
      this.#count(node.name, node.value, node.left);
      if (this.#chars > stepChars) return true;
    }
    return false;
  }

  #wait(name: string, value: JsonValue | undefined, left?: Left): void {
    this.#waiting.push({ name, value, left });
  }

  /** Counts a value inside another at once, which is cheaper than to queue it, unless it is deep. */
  #enter(name: string, value: JsonValue): void {
    if (this.#calls === callsMax || this.#chars > stepChars) return this.#wait(name, value);
    this.#calls++;
    this.#count(name, value);
    this.#calls--;
  }

  #count(name: string, value: JsonValue | undefined, left?: Left): void {
    if (Array.isArray(value)) return this.#countItems(name, value, left?.items);
    if (isJsonObject(value)) return this.#countMembers(name, value, left?.members);
    this.tokens += typeof value === "string"
      ? punctuationTokens + this.#textTokens(value)
      : leafTokens(value);
    this.#chars += charsOf(value);
  }

  /** Reads no item by its index: V8 would box every number of a list of vectors, at 24 bytes each. */
  #countItems(name: string, owner: readonly JsonValue[], items = owner.values()): void {
    for (const item of items) {
      if (typeof item === "object" || typeof item === "string") this.#enter(name, item);
      else {
        this.tokens += leafTokens(item);
        this.#chars += scalarChars;
      }
      if (this.#chars > stepChars) return this.#wait(name, owner, { items });
    }
  }

  /** A first pass is a `for…in`, which reads members faster than by their names, but cannot pause. */
  #countMembers(ownerName: string, owner: JsonObject, members?: ArrayIterator<string>): void {
    if (members) return this.#countLeft(ownerName, owner, members);
    this.tokens += objectTokens;
    let counted = 0;
    for (const name in owner) {
      this.#countMember(name, owner, ownerName);
      counted++;
      if (this.#chars <= stepChars) continue;
      return this.#wait(ownerName, owner, { members: Object.keys(owner).slice(counted).values() });
    }
  }

  #countLeft(ownerName: string, owner: JsonObject, members: ArrayIterator<string>): void {
    for (const name of members) {
      this.#countMember(name, owner, ownerName);
      if (this.#chars > stepChars) return this.#wait(ownerName, owner, { members });
    }
  }

  #countMember(name: string, owner: JsonObject, ownerName: string): void {
    const value = owner[name];
    this.tokens += estimatedTextTokens(name) + punctuationTokens;
    if (typeof value === "object") this.#enter(name, value);
    else {
      this.tokens += typeof value === "string"
        ? punctuationTokens + (nonTextTokens(name, owner, ownerName) ?? this.#textTokens(value))
        : leafTokens(value);
    }
    this.#chars += charsOf(value);
  }

  /** The tokens of a text; a long one is queued in parts. */
  #textTokens(text: string): number {
    if (text.length <= stepChars) return estimatedTextTokens(text);
    for (let at = 0; at < text.length; at += stepChars) {
      this.#wait("", text.slice(at, at + stepChars));
    }
    return 0;
  }
}

function charsOf(value: JsonValue | undefined): number {
  return typeof value === "string" ? Math.min(value.length, stepChars) : scalarChars;
}

/** The framing of a request, of a turn with a part, of half a tool; quotation marks and the like. */
const requestTokens = 4;
const objectTokens = 5;
const punctuationTokens = 1;

function leafTokens(value: JsonValue | undefined): number {
  return punctuationTokens + estimatedTextTokens(String(value));
}

/**
 * The most tokens that a prompt can have, by the length of its body alone: a tokenizer makes at most
 * one token of a byte. Undefined if the body may hold a medium, which can have more tokens than its
 * address or its compressed data has bytes. Like `estimatedInputTokens`, it leaves out data that an
 * upstream stores or fetches itself. Takes a tenth of its time, for a result two to four times as
 * high.
 */
export function mostInputTokens(read: ReadText): number | undefined {
  const text = searchedText(read);
  const mayHoldMedium = partOfMedium.test(text) &&
    mediumPatterns.some((pattern) => pattern.test(text));
  if (mayHoldMedium) return undefined;
  return byteLengthOf(read) + toolPromptTokens(read.body.tools);
}

/** A part of each match below. V8 searches for these several times as fast. */
const partOfMedium = /"data|"file|_url"|"url"|\\u00/;

/**
 * Tokens that a vendor adds for tools, and the same again for each hosted tool (messages, 2026-11:
 * 300 to 700 for either).
 */
const vendorPromptTokens = 700;

/** The most tokens that a vendor adds to a prompt with these tools. */
function toolPromptTokens(tools: JsonValue | undefined): number {
  if (!Array.isArray(tools) || tools.length === 0) return 0;
  const hosted = tools.filter((tool) => isJsonObject(tool) && !Object.values(tool).some(isSchema));
  return vendorPromptTokens * (1 + hosted.length);
}

/** Any object nested in a tool describes it. */
function isSchema(member: JsonValue | undefined): boolean {
  return typeof member === "object" && member !== null && Object.keys(member).length > 0;
}
