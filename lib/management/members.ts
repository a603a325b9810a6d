import { z } from "zod";
import {
  chainCauses,
  type ChainMember,
  chainMembersMax,
  hoursPattern,
} from "../store/catalog/mod.ts";
import { isModelName } from "../admin/models/model_rows.ts";
import { invalidField } from "./http/error.ts";
import { namedObject } from "./http/schema.ts";

const percent = z.number().min(1).max(100);
const causes = z.array(z.enum(chainCauses)).min(1);

/** A member of a virtual model in an answer; null: no condition. */
export const memberAnswer = namedObject("ChainMember", {
  model: z.string(),
  causes: z.array(z.enum(chainCauses)).nullable()
    .describe("The failures of the members before it after which it is tried; null: all"),
  share_percent: z.number().nullable().describe("Per cent of the sessions that it serves"),
  hours: z.string().nullable().describe("Time of day in UTC, such as 22:00-06:00"),
  budget_percent: z.number().nullable()
    .describe("Serves calls once this per cent of a budget of their key is spent"),
  stream: z.boolean().nullable().describe("Serves only calls that stream, or only others"),
  tools: z.boolean().nullable().describe("Serves only calls with tools, or only others"),
  images: z.boolean().nullable().describe("Serves only calls with images, or only others"),
});

/** The members of a virtual model in a request. */
export const membersInput = z.strictObject({
  members: z.array(z.strictObject({
    model: z.string().min(1).max(200),
    causes: causes.nullish(),
    share_percent: percent.nullish(),
    hours: z.string().regex(hoursPattern, "must be hours such as 22:00-06:00").nullish(),
    budget_percent: percent.nullish(),
    stream: z.boolean().nullish(),
    tools: z.boolean().nullish(),
    images: z.boolean().nullish(),
  })).min(1).max(chainMembersMax),
});

/** The members of a request. Throws `invalid_request` for a name that is none or is repeated. */
export function readChain(
  { members }: z.output<typeof membersInput>,
): readonly ChainMember[] {
  const names = members.map(({ model }) => model);
  const isWrong = (name: string, at: number) => !isModelName(name) || names.indexOf(name) < at;
  const wrong = names.findIndex(isWrong);
  if (wrong >= 0) {
    throw invalidField(`members.${wrong}.model`, "Enter different names of models, without *.");
  }
  return members.map(({ share_percent, budget_percent, ...member }) => {
    const all = { ...member, sharePercent: share_percent, budgetPercent: budget_percent };
    const stated = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
    return Object.fromEntries(stated) as unknown as ChainMember; // checked by the schema
  });
}

/** A member as answers have it. */
export function memberJson(member: ChainMember): z.output<typeof memberAnswer> {
  return {
    model: member.model,
    causes: member.causes ? [...member.causes] : null,
    share_percent: member.sharePercent ?? null,
    hours: member.hours ?? null,
    budget_percent: member.budgetPercent ?? null,
    stream: member.stream ?? null,
    tools: member.tools ?? null,
    images: member.images ?? null,
  };
}
