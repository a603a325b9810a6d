import type { CanonicalResponse, Part } from "../../canonical/mod.ts";
import { invalidAnswer } from "../error.ts";

/**
 * Returns the answer unless it is empty: no content, no usage and no finish reason. Some upstreams
 * fail this way with a success status; an answer that is only short has one of the three. Throws
 * `upstream_invalid_response`.
 */
export function withContent(response: CanonicalResponse, statesEnd: boolean): CanonicalResponse {
  const { usage, alternatives } = response;
  const says = statesEnd || usage !== undefined ||
    alternatives.some(({ parts, promptBlocked }) => promptBlocked || parts.some(hasContent));
  if (says) return response;
  throw invalidAnswer("it has no content, no usage and no reason for its end");
}

function hasContent(part: Part): boolean {
  return part.type !== "text" || part.text !== "";
}
