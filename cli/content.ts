import type { Json, JsonRecord } from "./client.ts";

/** Control characters, and those that change the direction of a text or are invisible. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON in which invisible characters are written as their codes: a terminal would obey them. Equal to
 * the same JSON for every parser.
 */
export function jsonText(value: Json, indentation = 2): string {
  const text = JSON.stringify(value, undefined, indentation);
  return text.replace(unseen, (char) => char === "\n" ? char : escaped(char));
}

/** The recorded content of a call as a conversation; as texts if it has no messages. */
export function contentLines(
  { messages, request, answer }: JsonRecord,
): string[] {
  const said = listOf(messages).flatMap(({ from, role, blocks }) => [
    `[${from === "answer" ? "answer" : role}]`,
    ...listOf(blocks).map(({ type, name, text }) =>
      plain(
        type === "text" ? text : `(${type}${name ? ` ${name}` : ""}) ${text}`,
      )
    ),
    "",
  ]);
  if (said.length > 0) return said.slice(0, -1);
  return [request, answer].flatMap((body) => plain((body as JsonRecord | null)?.text ?? "—"));
}

function listOf(value: Json | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value as readonly JsonRecord[] : []; // the API's own shape
}

function plain(text: Json | undefined): string {
  return String(text).replace(
    unseen,
    (char) => /[\n\t]/.test(char) ? char : escaped(char),
  );
}

/** In JSON's form; a character beyond the basic plane is two of its codes. */
function escaped(char: string): string {
  const units = Array.from(
    { length: char.length },
    (_, at) => char.charCodeAt(at),
  );
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(
    "",
  );
}
