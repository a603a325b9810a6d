import { type CacheMiss, isJsonObject, type JsonValue } from "../canonical/mod.ts";
import type { PromptParts } from "../formats/codec.ts";

/**
 * A prompt's blocks in the order in which upstreams cache them, each as one number of its hash and
 * its length. Has no content.
 */
export type Fingerprint = Readonly<Record<keyof PromptParts, readonly number[]>>;

/** The blocks of each kind that are compared. */
const blocksMax = 512;
const kinds = ["tools", "system", "turns"] as const;

/** Members that change where an upstream caches, and not the content of a block. */
const silentNames: ReadonlySet<string> = new Set(["cache_control", "prompt_cache_breakpoint"]);
/** A part of these types equals its text alone. */
const textTypes: ReadonlySet<JsonValue> = new Set(["text", "input_text", "output_text"]);

/** The fingerprint of a prompt; takes about 1 µs per kilobyte. */
export function fingerprintOf({ tools, system, turns }: PromptParts): Fingerprint {
  const blocks = (values: readonly JsonValue[]) => values.slice(0, blocksMax).map(blockOf);
  return {
    tools: blocks(tools),
    system: system.length === 0 ? [] : [blockOf([...system])],
    turns: blocks(turns),
  };
}

const [seed, prime] = [0x811c9dc5, 0x01000193];
const hashes = 2 ** 32;
const lengthMax = 2 ** 20 - 1;

function blockOf(value: JsonValue): number {
  const sum = { hash: seed, length: 0 };
  add(sum, value);
  return Math.min(sum.length, lengthMax) * hashes + (sum.hash >>> 0);
}

interface HashSum {
  hash: number;
  length: number;
}

/** Like FNV-1a, over the names and values in order. A text is the same alone and as a list of parts. */
function add(sum: HashSum, value: JsonValue | undefined): void {
  if (typeof value === "string") return addText(sum, value);
  if (Array.isArray(value)) {
    for (const one of value) add(sum, one);
  } else if (isJsonObject(value)) {
    for (const name in value) {
      const member = value[name];
      if (silentNames.has(name) || (name === "type" && textTypes.has(member as JsonValue))) {
        continue;
      }
      if (name !== "text") addText(sum, name);
      add(sum, member);
    }
  } else addText(sum, String(value));
}

function addText(sum: HashSum, text: string): void {
  sum.length += text.length;
  if (text.length >= longChars) return addLongText(sum, text);
  let { hash } = sum;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  sum.hash = hash;
}

/** Longer texts are hashed in a third of the time as words of four bytes in UTF-8. */
const longChars = 100;
const partChars = 4 * 1024;
const bytes = new Uint8Array(3 * partChars);
const words = new Int32Array(bytes.buffer);
const encoder = new TextEncoder();

function addLongText(sum: HashSum, text: string): void {
  let { hash } = sum;
  for (let at = 0; at < text.length; at += partChars) {
    const { written } = encoder.encodeInto(text.slice(at, at + partChars), bytes);
    const end = Math.ceil(written / 4);
    for (let word = 0; word < end; word++) hash = Math.imul(hash ^ words[word], prime);
    bytes.fill(0, 0, written); // keeps no content, and the last word has no rest of it
  }
  sum.hash = hash;
}

/** The first block in which a prompt does not continue an earlier one. */
interface Difference {
  readonly block: CacheMiss;
  /** The part of the earlier prompt that precedes it, from 0 to 1. */
  readonly sharedPart: number;
}

/** Undefined if the prompt begins with all of the earlier one. */
export function firstDifference(before: Fingerprint, now: Fingerprint): Difference | undefined {
  let shared = 0;
  for (const kind of kinds) {
    const [was, is] = [before[kind], now[kind]];
    const end = kind === "turns" ? was.length : Math.max(was.length, is.length);
    for (let at = 0; at < end; at++) {
      if (was[at] !== is[at]) {
        return { block: nameOf(kind, at), sharedPart: shared / Math.max(1, lengthOf(before)) };
      }
      shared += lengthIn(was[at]);
    }
  }
}

function nameOf(kind: typeof kinds[number], at: number): CacheMiss {
  if (kind === "system") return "system";
  return kind === "tools" ? `tool ${at + 1}` : `message ${at + 1}`;
}

/** Returns true if more than half of the shorter prompt's blocks are in the other as well. */
export function isRelated(one: Fingerprint, other: Fingerprint): boolean {
  const blocks = new Set(blocksOf(one));
  const others = blocksOf(other);
  const shared = others.filter((block) => blocks.has(block)).length;
  return shared * 2 > Math.min(blocksOf(one).length, others.length);
}

function blocksOf(print: Fingerprint): readonly number[] {
  return kinds.flatMap((kind) => print[kind]);
}

function lengthOf(print: Fingerprint): number {
  return blocksOf(print).reduce((sum, block) => sum + lengthIn(block), 0);
}

function lengthIn(block: number): number {
  return Math.floor(block / hashes);
}
