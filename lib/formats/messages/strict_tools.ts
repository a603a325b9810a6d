import type { Tool } from "../../canonical/mod.ts";
import { meetsStrictRules, noParameters } from "../request/strict_schema.ts";
import type { RequestContext } from "./request_context.ts";

/** Maximum strict tools (2026-11). */
const strictToolsMax = 20;

/** Keeps as many tools strict as the vendor accepts, each with a schema that its strict mode accepts. */
export function withFittingStrictness(
  tools: readonly Tool[],
  { own, notes, traits }: RequestContext,
): readonly Tool[] {
  if (own) return tools;
  let count = 0;
  return tools.map((tool, index) => {
    if (tool.type !== "function" || !tool.strict) return tool;
    const { strict: _, ...loose } = tool;
    const { parameters = noParameters } = tool;
    if (traits.structuredOutput && meetsStrictRules(parameters) && count < strictToolsMax) {
      count++;
      return { ...tool, parameters };
    }
    notes.add("toolStrict", `tools[${index}].strict`);
    return loose;
  });
}
