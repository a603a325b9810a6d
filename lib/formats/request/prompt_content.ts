import type { CanonicalRequest, FormatName, NativePart, Part } from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectOf, restOf, textOf } from "../wire_value.ts";

/**
 * Throws `unsupported_parameter` for content of the caller, or of a tool's result, that only another
 * format has and that has no text: without it the request would mean something else.
 */
export function assertContentFits({ turns }: CanonicalRequest, format: FormatName): void {
  for (const [index, { role, parts }] of turns.entries()) {
    assertParts(parts, `turns[${index}]`, { format, isAsked: role !== "assistant" });
  }
}

function assertParts(
  parts: readonly Part[],
  path: string,
  side: { readonly format: FormatName; readonly isAsked: boolean },
): void {
  for (const [at, part] of parts.entries()) {
    const place = `${path}.parts[${at}]`;
    if (part.type === "tool-result") assertParts(part.parts, place, { ...side, isAsked: true });
    else if (side.isAsked && isLost(part, side.format)) throw unreadable(part, place);
  }
}

function isLost(part: Part, to: FormatName): part is NativePart {
  return part.type === "native" && part.isContent === true && part.format !== to &&
    part.text === undefined;
}

function unreadable(part: NativePart, path: string) {
  const value = objectOf(part.value);
  const name = (textOf(value.type) || Object.keys(restOf(value, [])).join(", ")).slice(
    0,
    nameCharsMax,
  );
  return unsupported(
    path,
    `is a part of type ${name} of the ${part.format} format, which is not converted. Send its content as text, an image or a file`,
  );
}

const nameCharsMax = 100;
