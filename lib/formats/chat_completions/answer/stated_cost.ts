import { isJsonObject, type JsonObject } from "../../../canonical/mod.ts";
import { memberText, withMember } from "../../../json/mod.ts";
import type { StatedCost } from "../../codec.ts";
import { listOf, objectIn, objectOf } from "../../wire_value.ts";
import { mayHaveUsage } from "./usage_reader.ts";

/**
 * `usage: { include: true }`, as OpenRouter's callers request it. It is removed for upstreams:
 * other vendors refuse it.
 */
export const statedCost: StatedCost = {
  member: "usage",
  isAsked: ({ usage }) => objectOf(usage).include === true,
  isLast({ data }) {
    if (!mayHaveUsage(data)) return false;
    const { usage, choices } = objectIn(data) ?? {};
    const [choice, ...others] = listOf(choices).map(objectOf);
    const isOver = choice === undefined || (others.length === 0 && isFinished(choice));
    return isJsonObject(usage) && isOver;
  },
  state(text, usd) {
    const usage = memberText(text, "usage");
    if (!usage?.startsWith("{")) return text;
    return withMember(text, "usage", withMember(usage, "cost", usd));
  },
};

/** True for a choice's last chunk, in which some vendors state usage (Mistral; 2026-11-21). */
function isFinished({ finish_reason }: JsonObject): boolean {
  return typeof finish_reason === "string";
}
