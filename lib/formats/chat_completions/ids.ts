import { digest, safeToolCallId, type ToolCallIdRule } from "../../canonical/mod.ts";

/** The vendor refuses longer ids with `string_above_max_length`. */
const callIdRule: ToolCallIdRule = { pattern: /^[\x20-\x7e]+$/, charsMax: 40, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Creates an id for a call without one: equal for equal answers, distinct within one answer. */
export function madeCallId(answer: string, alternative: number, position: number): string {
  return `call_${digest(`${answer}:${alternative}:${position}`).slice(0, 24)}`;
}

export function completionId(requestId: string): string {
  return `chatcmpl-${requestId.replace(/^req_/, "")}`;
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
