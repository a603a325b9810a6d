import {
  addTokens,
  type Alternative,
  type Ending,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keepLogprobs,
  type Part,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { decodeTokens, encodeTokens, placedTokens } from "../../answer/logprobs.ts";
import { isEmpty, listOf, objectOf, restOf } from "../../wire_value.ts";
import { carriedText } from "../thoughts.ts";
import { contentText } from "./part.ts";

/** The lists that belong to texts. Some upstreams also have one for reasoning (DeepSeek, 2026-11). */
const textLists = ["content", "refusal"];

/** The log probabilities of a choice that belong to none of its texts so far. */
export interface GrowingLogprobs {
  /** Tokens that came before any content. */
  readonly early: TokenLogprob[];
  /** Tokens of reasoning and calls. */
  readonly stray: TokenLogprob[];
  /** Lists that only this format has. */
  readonly others: Map<string, JsonValue[]>;
}

/** The members of a choice that tokens depend on. */
interface RatedChoice {
  readonly growing?: { readonly type: string; readonly tokens: TokenLogprob[] };
  readonly parts: readonly unknown[];
  readonly logprobs: GrowingLogprobs;
}

/**
 * Adds the log probabilities of a chunk to its text. A chunk without any content completes a
 * character; one with reasoning or calls may list their tokens (vLLM and SGLang, 2026-11).
 */
export function addLogprobs(state: RatedChoice, logprobs: unknown, delta: JsonObject): void {
  if (!isJsonObject(logprobs)) return;
  const { growing, parts, logprobs: { early, stray, others } } = state;
  const open = growing && parts.includes(growing) ? growing : undefined;
  addTokens(open?.type === "refusal" ? open.tokens : stray, decodeTokens(logprobs.refusal));
  const said = open?.type === "text" ? open.tokens : growing ? stray : early;
  const tokens = decodeTokens(logprobs.content);
  const thought = carriedText(delta);
  if (thought === "" && !delta.tool_calls) addTokens(said, tokens);
  else {
    const { placed: [, own], rest } = placedTokens(tokens, [thought, contentText(delta.content)]);
    addTokens(said, own);
    addTokens(stray, rest);
  }
  for (const [name, list] of Object.entries(restOf(logprobs, textLists))) {
    const kept = others.get(name) ?? [];
    for (const token of listOf(list)) kept.push(token);
    others.set(name, kept);
  }
}

/** To be spread into an ending: the log probabilities that belong to no text. */
export function strayLogprobs(
  { logprobs: { early, stray } }: RatedChoice,
): Pick<Ending, "logprobs"> {
  return keepLogprobs([...early, ...stray]);
}

/** To be spread into a choice: the lists of a stream that only this format has. */
export function otherLogprobs({ logprobs: { others } }: RatedChoice): JsonObject {
  return others.size === 0 ? {} : { logprobs: Object.fromEntries(others) };
}

/** The parts of a whole choice with their tokens, and the log probabilities that belong to none of them. */
export function withLogprobs(parts: readonly Part[], choice: JsonObject): {
  readonly parts: readonly Part[];
  readonly stray: Pick<Ending, "logprobs">;
  readonly choice: JsonObject;
} {
  const { logprobs, ...others } = choice;
  const lists = objectOf(logprobs);
  if (isEmpty(lists)) return { parts, stray: {}, choice };
  const rest = restOf(lists, textLists);
  const content = tokensOfContent(parts, decodeTokens(lists.content));
  const refusal = decodeTokens(lists.refusal);
  const refuses = parts.some(({ type }) => type === "refusal");
  return {
    parts: parts.map((part, at) =>
      part.type === "text"
        ? { ...part, ...keepLogprobs(content.placed[at]) }
        : part.type === "refusal"
        ? { ...part, ...keepLogprobs(refusal) }
        : part
    ),
    stray: keepLogprobs([...content.rest, ...(refuses ? [] : refusal)]),
    choice: isEmpty(rest) ? others : { ...others, logprobs: rest },
  };
}

/** The tokens of each part: all belong to a text that is alone. */
function tokensOfContent(parts: readonly Part[], tokens: readonly TokenLogprob[]) {
  const isAlone = parts.every(({ type }) => type === "text" || type === "refusal");
  const at = isAlone ? parts.findIndex(({ type }) => type === "text") : -1;
  if (at >= 0) return { placed: parts.map((_, index) => index === at ? tokens : []), rest: [] };
  return placedTokens(
    tokens,
    parts.map((part) => part.type === "text" || part.type === "reasoning" ? part.text : ""),
  );
}

/** The log probabilities of a choice; `null` without any. */
export function encodeLogprobs(
  { parts, logprobs = [] }: Pick<Alternative, "parts" | "logprobs">,
): JsonObject | null {
  const tokensOf = (type: "text" | "refusal") =>
    parts.flatMap((part) => part.type === type ? part.logprobs ?? [] : []);
  return logprobsOf([...tokensOf("text"), ...logprobs], tokensOf("refusal"));
}

export function logprobsOf(
  content: readonly TokenLogprob[],
  refusal: readonly TokenLogprob[],
): JsonObject | null {
  if (content.length + refusal.length === 0) return null;
  const listOf = (tokens: readonly TokenLogprob[]) =>
    tokens.length > 0 ? encodeTokens(tokens, null) : null;
  return { content: listOf(content), refusal: listOf(refusal) };
}
