/** Counts the tokens of a request or a text, with one real tokenizer for every model. No I/O. */
export {
  countRequestTokens,
  measureRequest,
  measuringSteps,
  type RequestTokens,
  requestTokenSteps,
} from "./request.ts";
export { estimateAhead, estimatedInputTokens, mostInputTokens } from "./estimate.ts";
export { countTextTokens, cutToTokens, estimatedTextTokens, textTokenSteps } from "./text.ts";
export { mediaBytes } from "./media.ts";
