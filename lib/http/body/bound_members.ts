import { BoundedMap } from "../../bounded_map.ts";
import { GatewayError, isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import {
  ambiguousName,
  AsciiText,
  foldedName,
  isAmbiguous,
  mayBeAmbiguous,
  readMemberText,
  type ReadText,
  searchedText,
} from "../../json/mod.ts";

/**
 * Rejects a body that repeats a member with influence on the cost: we would reserve for one value
 * while the upstream uses the other.
 */
export function assertBoundOnce({ answerBounds, billing }: Codec, said: ReadText): void {
  const { members, within } = answerBounds;
  assertSaidOnce(members, said);
  assertSaidOnce(billing.members, said);
  if (within) { for (const outer of members) assertInnerSaidOnce(outer, within, said); }
}

/** Rejects a body that repeats a member, also in another case, which only some upstreams ignore. */
export function assertSaidOnce(names: readonly string[], said: ReadText): void {
  assertSpelled(names, said.body);
  if (said.repeats !== false) refuse(ambiguousName(said, saidIn(said.body, names)));
}

/** Like `isAmbiguous`, with the kept folds. */
export function isSaidTwice(said: ReadText, name: string): boolean {
  return isAmbiguous(said, name, foldOf);
}

/** The same for members of an object within the body; searches the object's text only if necessary. */
function assertInnerSaidOnce(
  outer: string,
  names: readonly string[],
  said: ReadText,
): void {
  const inner = said.body[outer];
  if (!isJsonObject(inner)) return;
  assertSpelled(names, inner);
  const isKnown = said instanceof AsciiText && said.long !== undefined; // then its text is found at once
  const doubtful = saidIn(inner, names)
    .filter((name) => isKnown || mayBeAmbiguous(searchedText(said), name));
  if (doubtful.length === 0) return;
  const innerText = readMemberText(said, outer) ?? "";
  refuse(doubtful.find((name) => isAmbiguous({ text: innerText, body: inner }, name)));
}

/** The names that occur in the body at all: only those are searched for in its text. */
function saidIn(body: JsonObject, names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(body, name));
}

function assertSpelled(names: readonly string[], body: JsonObject): void {
  const spelled = namesByFold(names);
  for (const said in body) {
    const name = spelled.get(folded.test(said) ? said : foldOf(said));
    if (name === undefined || name === said) continue;
    throw new GatewayError(
      "invalid_request",
      `Cannot decode request: the body spells ${name} in another case. Write ${name}`,
      { param: name },
    );
  }
}

/** A name that is its own folded form, as most are. */
const folded = /^[a-z0-9_]*$/;
/** The folded forms of members that clients send; nearly all send the same few. */
const folds = new BoundedMap<string, string>(1_024);
const keptNameChars = 64;

function foldOf(said: string): string {
  return said.length > keptNameChars ? foldedName(said) : folds.getOrInsert(said, foldedName);
}

const namesOfLists = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** The names by their folded form, computed once for each constant list. */
function namesByFold(names: readonly string[]): ReadonlyMap<string, string> {
  return namesOfLists.getOrInsertComputed(
    names,
    () => new Map(names.map((name) => [foldedName(name), name])),
  );
}

function refuse(name: string | undefined): void {
  if (name === undefined) return;
  throw new GatewayError(
    "invalid_request",
    `Cannot decode request: the body has ${name} more than once. Send it once`,
  );
}
