import type { JsonObject, Part, RatedToken, TokenLogprob } from "../../canonical/mod.ts";
import { isEmpty, listOf, objectsOf, restOf, textOf } from "../wire_value.ts";
import type { AnswerNoteId } from "./notes.ts";
import type { AnswerPlaces } from "./places.ts";

/** Tokens in the shape that chat completions and responses share; those without a number are left out. */
export function decodeTokens(tokens: unknown): TokenLogprob[] {
  return objectsOf(tokens).filter(isRated).map((token) => ({
    ...decodeToken(token),
    top: objectsOf(token.top_logprobs).filter(isRated).map(decodeToken),
  }));
}

/** `unknown` replaces the bytes of a token whose text does not have them all. */
export function encodeTokens(
  tokens: readonly TokenLogprob[],
  unknown: null | readonly number[],
): JsonObject[] {
  const encode = (token: RatedToken) => ({
    token: token.token,
    bytes: isPart(token) ? unknown : bytesOf(token),
    logprob: token.logprob,
    ...token.rest,
  });
  return tokens.map((token) => ({ ...encode(token), top_logprobs: token.top.map(encode) }));
}

/**
 * The tokens of each text, found by their bytes. `rest` holds the others: some upstreams also list
 * the tokens of reasoning and calls.
 */
export function placedTokens(
  tokens: readonly TokenLogprob[],
  texts: readonly string[],
): { readonly placed: readonly TokenLogprob[][]; readonly rest: readonly TokenLogprob[] } {
  const lengths = tokens.map((token) => bytesOf(token).length);
  const whole = tokens.map((token) => latin.decode(Uint8Array.from(bytesOf(token)))).join("");
  const rest: TokenLogprob[] = [];
  let [next, end, from, misses] = [0, 0, 0, 0];
  const placed = texts.map((text) => {
    const said = latin.decode(utf8.encode(text));
    const start = said === "" || misses > missesMax ? -1 : whole.indexOf(said, from);
    if (start < 0) misses++;
    else from = start + said.length;
    const found: TokenLogprob[] = [];
    for (; start >= 0 && next < tokens.length && end + lengths[next] <= from; next++) {
      end += lengths[next];
      (end > start ? found : rest).push(tokens[next]);
    }
    return found;
  });
  return { placed, rest: [...rest, ...tokens.slice(next)] };
}

/** Limits the searches in an answer of many texts, each of which may read all tokens. */
const missesMax = 8;

/** The notes on what a text's tokens lose in the caller's format. */
export function tokenLosses(
  tokens: readonly TokenLogprob[],
  type: Part["type"],
  { logprobs, tokenBytes, tokenIds }: AnswerPlaces,
): AnswerNoteId[] {
  if (tokens.length === 0) return [];
  if (!logprobs.some((kind) => kind === type)) return ["logprobs"];
  const has = (member: "id" | "bytes" | "rest") =>
    tokens.some((token) => [token, ...token.top].some((one) => one[member] !== undefined));
  return [
    ...(!tokenBytes && (has("bytes") || has("rest")) ? ["tokenBytes" as const] : []),
    ...(!tokenIds && has("id") ? ["tokenIds" as const] : []),
  ];
}

function isRated({ token, logprob }: JsonObject): boolean {
  return typeof token === "string" && typeof logprob === "number";
}

function decodeToken(wire: JsonObject): RatedToken {
  const { token, logprob, bytes } = wire;
  const rest = restOf(wire, tokenMembers);
  const text = textOf(token);
  const known = listOf(bytes).filter((byte) => typeof byte === "number");
  const repeats = known.length === 0 || areEqual(known, bytesOfText(text));
  return {
    token: text,
    logprob: Number(logprob),
    ...(!repeats && { bytes: known }),
    ...(!isEmpty(rest) && { rest }),
  };
}

const tokenMembers = ["token", "logprob", "bytes", "top_logprobs"];

function bytesOf({ token, bytes }: RatedToken): readonly number[] {
  return bytes ? [...Uint8Array.from(bytes)] : bytesOfText(token);
}

/** Nearly every token is ASCII; the encoder's fixed cost would dominate an answer of many tokens. */
function bytesOfText(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return [...utf8.encode(text)];
    bytes.push(code);
  }
  return bytes;
}

function areEqual(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((byte, at) => byte === others[at]);
}

/** Returns true if the text has a replacement character for bytes that nobody stated. */
function isPart({ token, bytes }: RatedToken): boolean {
  return bytes === undefined && token.includes("\ufffd");
}

const utf8 = new TextEncoder();
/** Decodes each byte to one character of its own. */
const latin = new TextDecoder("latin1");
