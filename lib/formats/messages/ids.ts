import { safeToolCallId, type ToolCallIdRule } from "../../canonical/mod.ts";

const callIdRule: ToolCallIdRule = {
  pattern: /^[A-Za-z0-9_-]+$/,
  charsMax: 256,
  prefix: "toolu_",
};

/** The id itself where this format takes it, and otherwise a stable one that it takes. */
export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** What the vendor takes as the name of a tool. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,128}$/;

/** The part of a request id that fresh ids are made of. */
export function idSuffix(requestId: string): string {
  return requestId.replace(/^req_/, "").replace(/[^A-Za-z0-9_-]/g, "_");
}

/** Returns true if both messages have an id and the ids differ. */
export function isAnotherId(known: string, id: unknown): boolean {
  return known !== "" && typeof id === "string" && id !== "" && id !== known;
}
