/** What became of a failed call, in one sentence: the API's error, a call's page and the overview say the same. */
export { apiLanguage, verdictWordsEn } from "./en.ts";
export {
  sentenceOf,
  sentenceOfMany,
  type VerdictLanguage,
  type VerdictWords,
  withCharge,
} from "./sentence.ts";
export { type FailedCall, type Verdict, verdictOf } from "./verdict.ts";
export { verdictWordsZhCn } from "./zh_cn.ts";
