import type { Context } from "fresh";
import { type ApiGroup, apiGroupsOf, readDescription } from "../../docs/mod.ts";
import type { ConsoleState } from "../session/state.ts";

/** The groups, made once: the description does not change while the gateway runs. */
const kept: { groups?: readonly ApiGroup[] } = {};

/** The groups of the API reference, from the gateway's own `/openapi.json`; none without a gateway. */
export async function apiGroups(
  { state: { services }, url, info }: Context<ConsoleState>,
): Promise<readonly ApiGroup[]> {
  if (kept.groups) return kept.groups;
  const answer = await services.answerApi?.(new Request(new URL("/openapi.json", url)), info);
  if (!answer) return [];
  return kept.groups = apiGroupsOf(readDescription(await answer.text()));
}
