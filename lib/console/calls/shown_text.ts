/** Characters that are invisible, move the cursor or change the direction of what follows. */
const unseen =
  // deno-lint-ignore no-control-regex -- they are what is searched for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A text of a caller or a model for a page: invisible characters are written as their codes. */
export function shownText(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed().replace(unseen, (char) => {
    const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `\u27e8U+${code}\u27e9`;
  });
}
