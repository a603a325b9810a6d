import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";
import { surelyLacks } from "../../json/mod.ts";
import type { MemberChanges } from "../state_codec.ts";
import { listOf, noMembers } from "../wire_value.ts";
import { agentMember } from "./native.ts";

/**
 * Removes what Codex states about its session, turns and installation: only its own vendor has a
 * use for it, and others refuse unknown members of items.
 */
export function withoutAgentMembers(body: JsonObject): MemberChanges {
  if (body.client_metadata === undefined) return noMembers;
  const isPlain = surelyLacks(body, "input", agentMemberOrEscape);
  return {
    client_metadata: undefined,
    ...(!isPlain && { input: listOf(body.input).map(withoutAgentMember) }),
  };
}

const agentMemberOrEscape = new RegExp(`${agentMember}|\\\\u00`);

function withoutAgentMember(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const { [agentMember]: _, ...rest } = item;
  return rest;
}
