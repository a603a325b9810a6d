import { z } from "zod";
import { chainCauses, chainMembersMax, hoursPattern } from "../store/catalog/mod.ts";
import { fieldListOf, flagField, modelName, must, strict } from "./fields.ts";

const percentText = "a number from 1 to 100";
const percent = z.number(must(percentText)).min(1, must(percentText)).max(100, must(percentText));
const hoursText = "hours in UTC such as 22:00-06:00";

const memberSchema = z.union([
  modelName.transform((model) => ({ model })),
  strict({
    model: modelName.describe("A model that upstreams serve"),
    causes: fieldListOf(
      z.enum(chainCauses, must(`one of ${chainCauses.join(", ")}`)),
      "causes",
    ).min(1, must("a list of at least one cause")).optional()
      .describe("Failures of the members before it after which it is tried; absent: all"),
    sharePercent: percent.optional()
      .describe("Per cent of the sessions that it serves; absent: all"),
    hours: z.string(must(hoursText)).regex(hoursPattern, must(hoursText)).optional()
      .describe("Time of day in UTC at which it serves calls, such as 22:00-06:00"),
    budgetPercent: percent.optional()
      .describe("Serves calls once this per cent of a budget of their key is spent"),
    stream: flagField.optional().describe("Serves only calls that stream, or only others"),
    tools: flagField.optional().describe("Serves only calls with tools, or only others"),
    images: flagField.optional().describe("Serves only calls with images, or only others"),
  }),
], must("a model's name, or an object with model"));

const membersText = `a list of 1 to ${chainMembersMax} different models`;

/** The members of a virtual model. */
export const membersSchema = fieldListOf(memberSchema, "models or members")
  .min(1, must(membersText)).max(chainMembersMax, must(membersText))
  .refine(areDifferent, must(membersText));

function areDifferent(members: readonly { readonly model: string }[]): boolean {
  return new Set(members.map(({ model }) => model)).size === members.length;
}
