import {
  addTokens,
  type JsonObject,
  type RatedToken,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { placedTokens } from "../../answer/logprobs.ts";
import { defined, isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { protoNumber } from "../spelling.ts";
import type { CandidateState } from "./state.ts";

/** The tokens of each text of a chunk, in order; those of other content become stray. */
export function tokensOfParts(
  candidate: CandidateState,
  result: unknown,
  parts: readonly JsonObject[],
): readonly (readonly TokenLogprob[])[] {
  const tokens = decodeTokens(objectOf(result));
  if (tokens.length === 0) return [];
  const text = parts.findLastIndex(isText);
  if (parts.every(isText) && (text >= 0 || candidate.open?.type === "text")) {
    return parts.length === 0 ? [tokens] : parts.map((_, at) => at === text ? tokens : []);
  }
  const { placed, rest } = placedTokens(tokens, parts.map(({ text }) => textOf(text)));
  addTokens(candidate.strayTokens, rest);
  addTokens(candidate.strayTokens, placed.filter((_, at) => !isText(parts[at])).flat());
  return placed;
}

/** The members of a candidate that state its tokens; `all` are those of the whole candidate, once known. */
export function encodeTokens(
  tokens: readonly TokenLogprob[],
  all: readonly TokenLogprob[] = [],
): JsonObject {
  const sum = all.reduce((total, { logprob }) => total + logprob, 0);
  const hasTop = tokens.some(({ top }) => top.length > 0);
  return {
    ...(all.length > 0 && { avgLogprobs: sum / all.length }),
    ...(tokens.length > 0 && {
      logprobsResult: {
        ...(hasTop &&
          { topCandidates: tokens.map(({ top }) => ({ candidates: top.map(encode) })) }),
        chosenCandidates: tokens.map(encode),
      },
    }),
  };
}

/** The members of a result without a canonical field. */
export function resultRest(result: unknown): { logprobsResult?: JsonObject } {
  const rest = restOf(objectOf(result), ["topCandidates", "chosenCandidates"]);
  return isEmpty(rest) ? {} : { logprobsResult: rest };
}

function isText(part: JsonObject): boolean {
  return typeof part.text === "string" && part.thought !== true;
}

function decodeTokens({ chosenCandidates, topCandidates }: JsonObject): TokenLogprob[] {
  const tops = objectsOf(topCandidates);
  return objectsOf(chosenCandidates).map((chosen, at) => ({
    ...decode(chosen),
    top: objectsOf(tops[at]?.candidates).map(decode),
  }));
}

/** Proto3 JSON leaves out a logarithm of 0, which a certain token has. */
function decode({ token, tokenId, logProbability }: JsonObject): RatedToken {
  const id = protoNumber(tokenId);
  return {
    token: textOf(token),
    logprob: protoNumber(logProbability) ?? 0,
    ...(id !== undefined && { id }),
  };
}

function encode({ token, id, logprob }: RatedToken): JsonObject {
  return defined({ token, tokenId: id, logProbability: logprob });
}
