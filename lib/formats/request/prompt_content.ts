import type { CanonicalRequest, FormatName, NativePart, Part } from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { objectOf, textOf } from "../wire_value.ts";

/**
 * Throws `unsupported_parameter` for content of the caller, or of a tool's result, that only another
 * format has and that has no text: without it the request would mean something else.
 */
export function assertContentFits({ turns }: CanonicalRequest, format: FormatName): void {
  for (const [index, { role, parts }] of turns.entries()) {
    const lost = lostIn(parts, `turns[${index}]`, { format, isAsked: role !== "assistant" });
    if (lost) throw unreadable(lost);
  }
}

interface Lost {
  readonly part: NativePart;
  readonly path: string;
}

function lostIn(
  parts: readonly Part[],
  path: string,
  side: { readonly format: FormatName; readonly isAsked: boolean },
): Lost | undefined {
  for (const [at, part] of parts.entries()) {
    const place = `${path}.parts[${at}]`;
    const lost = part.type === "tool-result"
      ? lostIn(part.parts, place, { ...side, isAsked: true })
      : side.isAsked && isLost(part, side.format) && { part, path: place };
    if (lost) return lost;
  }
  return undefined;
}

function isLost(part: Part, to: FormatName): part is NativePart {
  return part.type === "native" && part.isContent === true && part.format !== to &&
    part.text === undefined;
}

function unreadable({ part, path }: Lost) {
  const value = objectOf(part.value);
  const name = (textOf(value.type) || Object.keys(value).join(", ")).slice(0, nameCharsMax);
  return unsupported(
    path,
    `is a part of type ${name}, which only the ${part.format} format has. Send its content as text, an image or a file`,
  );
}

const nameCharsMax = 100;
