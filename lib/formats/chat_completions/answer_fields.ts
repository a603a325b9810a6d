import { harmless, type HarmlessFields } from "../native.ts";

/** Members of an answer that name who served it and how, which the row of the call keeps as far as it matters. */
export const harmlessAnswerFields: HarmlessFields = {
  ...harmless("system_fingerprint", "service_tier", "provider", "native_finish_reason"),
  ...harmless("x_groq", "time_info", "stats", "gen_id"),
};
