import type { CanonicalResponse, Part } from "../../canonical/mod.ts";
import { invalidAnswer } from "../error.ts";

/**
 * The whole answer, unless it says nothing at all: no content, no usage and no reason for its end.
 * That is how an upstream fails that still answers with a success; an answer that is merely short
 * says one of them. Throws `upstream_invalid_response`.
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
