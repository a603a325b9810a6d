/** Counts the tokens of a request or a text, with one real tokenizer for every model. No I/O. */
export {
  countRequestTokens,
  measureRequest,
  measuringSteps,
  type RequestTokens,
  requestTokenSteps,
} from "./request.ts";
export { estimateAhead, estimatedInputTokens } from "./estimate.ts";
export { mostInputTokens } from "./most.ts";
export { estimatedTextTokens } from "./text_estimate.ts";
export { mediaBytes } from "./media.ts";
export { countTextTokens, cutToTokens, textTokenSteps } from "./text.ts";
