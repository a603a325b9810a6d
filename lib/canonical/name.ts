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

/** Marks that scripts other than Latin need: joiners within a word, and signs before a number. */
const ofScript =
  /(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u{200C}\u{200D}](?=[\p{L}\p{M}])|[\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}]/u;
/** A hidden character, apart from line breaks and those that writing needs, which are in the group. */
const shown = new RegExp(
  `(${joiner.source}|${ofScript.source}|[\\t\\n\\r])|${hidden.source}`,
  "gu",
);

/** The text with its hidden characters escaped, such as `\u202e`: for sentences that quote a name. */
export function withHiddenShown(text: string): string {
  return text.replace(shown, (character, kept?: string) => kept ?? escaped(character));
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}

/** Returns true for the name of a model, or a pattern of names. */
export function isModelPattern(text: string): boolean {
  return /^\S{1,200}$/.test(text) && !hasHidden(text);
}

/** The Levenshtein distance: how many characters must be inserted, deleted or replaced. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return row[to.length];
}
