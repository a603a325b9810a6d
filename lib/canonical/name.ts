/** Controls, marks that reorder text, separators of lines, and characters that take no room. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** An emoji that is joined from several: a zero-width joiner between two pictures. */
const joiner =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u200D(?=\p{Extended_Pictographic})/gu;

/**
 * Returns true for a text that looks like another one, or that reorders its surroundings. No name
 * may: lists, logs and terminals show names, and people choose by them.
 */
export function hasHidden(text: string): boolean {
  return text.replace(joiner, "").search(hidden) >= 0;
}

/** The text as a reader sees it, for names that nobody enters again. */
export function withoutHidden(text: string): string {
  return hasHidden(text) ? text.replace(hidden, "") : text;
}

/** Returns true for the name of a model, or a pattern of names. */
export function isModelPattern(text: string): boolean {
  return /^\S{1,200}$/.test(text) && !hasHidden(text);
}
