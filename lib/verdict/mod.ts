/**
 * Explains a failed call in one sentence, the same in the API's error, the call's page and the
 * overview.
 */
export { apiLanguage, verdictWordsEn } from "./en.ts";
export {
  sentenceOf,
  sentenceOfMany,
  sentenceParts,
  type VerdictLanguage,
  type VerdictWords,
  withCharge,
} from "./sentence.ts";
export { type FailedCall, type Verdict, verdictOf } from "./verdict.ts";
export { verdictWordsZhCn } from "./zh_cn.ts";
