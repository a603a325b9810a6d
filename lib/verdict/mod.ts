/**
 * Explains a failed call in one sentence, the same in the API's error, the call's page and the
 * overview.
 */
export { apiLanguage, verdictWordsEn } from "./en.ts";
export {
  type FailedCall,
  sentenceOf,
  sentenceOfMany,
  sentenceParts,
  type Verdict,
  type VerdictLanguage,
  verdictOf,
  type VerdictWords,
  withCharge,
} from "./verdict.ts";
export { verdictWordsZhCn } from "./zh_cn.ts";
