import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";

/** Log probabilities on the wire of the formats that have them, written and read without a codec. */

/** A token with its place in the text; `bytes` are absent if the format has none. */
export interface WireToken {
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[];
  readonly id?: number;
  readonly top: readonly WireToken[];
}

/** A piece of a text, with the tokens that came with it. */
export interface WirePiece {
  readonly text: string;
  readonly tokens: readonly WireToken[];
}

const likeliestMax = 20;

/** As many tokens as a real answer has: words, a character in two tokens, and the likeliest others. */
export function manyTokens(count: number): WirePiece[] {
  const bird = [...new TextEncoder().encode("🐦")];
  return Array.from({ length: count }, (_, at) => {
    if (at % 50 === 7) return piece("", "\\xf0\\x9f", at, bird.slice(0, 2));
    if (at % 50 === 8) return piece("🐦", "\\x90\\xa6", at, bird.slice(2));
    return piece(` word${at}`, ` word${at}`, at, [...new TextEncoder().encode(` word${at}`)]);
  });
}

function piece(text: string, token: string, at: number, bytes: readonly number[]): WirePiece {
  const top = Array.from({ length: likeliestMax }, (_, rank) => ({
    token: rank === 0 ? token : ` rival${at}é${rank}`,
    logprob: -0.01 - at / 1000 - rank,
    bytes: rank === 0 ? bytes : [...new TextEncoder().encode(` rival${at}é${rank}`)],
    id: at * 100 + rank,
    top: [],
  }));
  return { text, tokens: [{ ...top[0], top }] };
}

export function textOf(pieces: readonly WirePiece[]): string {
  return pieces.map(({ text }) => text).join("");
}

export function tokensOf(pieces: readonly WirePiece[]): WireToken[] {
  return pieces.flatMap(({ tokens }) => tokens);
}

/** The shape that chat completions and responses share. */
export function openToken({ token, logprob, bytes, top }: WireToken): JsonObject {
  return { ...rated({ token, logprob, bytes, top }), top_logprobs: top.map(rated) };
}

function rated({ token, logprob, bytes }: WireToken): JsonObject {
  return { token, bytes: bytes ?? null, logprob };
}

export function logprobsResult(tokens: readonly WireToken[]): JsonObject {
  const candidate = ({ token, id, logprob }: WireToken) => ({
    token,
    ...(id !== undefined && { tokenId: id }),
    logProbability: logprob,
  });
  return {
    topCandidates: tokens.map(({ top }) => ({ candidates: top.map(candidate) })),
    chosenCandidates: tokens.map(candidate),
  };
}

export function readOpenTokens(list: JsonValue | undefined): WireToken[] {
  return objects(list).map((wire) => ({
    ...read(wire),
    top: objects(wire.top_logprobs).map(read),
  }));
}

function read({ token, logprob, bytes }: JsonObject): WireToken {
  const known = Array.isArray(bytes) ? { bytes: bytes as number[] } : {}; // sound: this format has numbers there
  return { token: String(token), logprob: Number(logprob), ...known, top: [] };
}

export function readLogprobsResult(result: JsonValue | undefined): WireToken[] {
  const { topCandidates, chosenCandidates } = objectOf(result);
  const readOne = ({ token, tokenId, logProbability }: JsonObject) => ({
    token: String(token),
    logprob: Number(logProbability),
    ...(typeof tokenId === "number" && { id: tokenId }),
    top: [],
  });
  const tops = objects(topCandidates);
  return objects(chosenCandidates).map((chosen, at) => ({
    ...readOne(chosen),
    top: objects(tops[at]?.candidates).map(readOne),
  }));
}

/** A token as a caller of the format sees it: no ids in one kind of format, no bytes in the other. */
export function seenAs(
  kind: "open" | "result",
  { id, bytes, top, ...token }: WireToken,
): WireToken {
  const own = kind === "open"
    ? { bytes: bytes ?? [...new TextEncoder().encode(token.token)] }
    : id === undefined
    ? {}
    : { id };
  return { ...token, ...own, top: top.map((one) => seenAs(kind, one)) };
}

export function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
