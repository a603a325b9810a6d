import { harmless, type HarmlessFields } from "../native.ts";
import { isEmpty, listOf, objectOf } from "../wire_value.ts";

/** Members of a message that canonical fields say as well, or that say nothing with this value. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("usage", "caller", "spelling"),
  context_management: (value) => listOf(objectOf(value).applied_edits).length === 0,
  container: (value) => isEmpty(objectOf(value)),
  stop_details: (value) => (objectOf(value).category ?? null) === null, // a refusal part has the explanation
};
