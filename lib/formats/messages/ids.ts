import { safeToolCallId, type ToolCallIdRule } from "../../canonical/mod.ts";

const callIdRule: ToolCallIdRule = {
  pattern: /^[A-Za-z0-9_-]+$/,
  charsMax: 256,
  prefix: "toolu_",
};

/** Returns the id if this format accepts it, else a stable replacement. */
export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,128}$/;

/** The part of a request id from which new ids are made. */
export function idSuffix(requestId: string): string {
  return requestId.replace(/^req_/, "").replace(/[^A-Za-z0-9_-]/g, "_");
}

/** Returns true if both messages have an id and the ids differ. */
export function isAnotherId(known: string, id: unknown): boolean {
  return known !== "" && typeof id === "string" && id !== "" && id !== known;
}
