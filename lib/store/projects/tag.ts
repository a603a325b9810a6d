/** A part of a call that its caller names, such as `team=a`: spending is summed by it. */
export interface Tag {
  readonly key: string;
  readonly value: string;
}

/** The key and the value of calls whose own ones have no room. */
export const otherTag = "other";

const keyRule = /^[A-Za-z0-9][\w.-]{0,31}$/;
const valueRule = /^[\w.:\/@+-]{1,64}$/;

/** Returns true for 1 to 32 letters, digits, `_`, `.` or `-`, of which the first is no sign. */
export function isTagKey(text: string): boolean {
  return keyRule.test(text);
}

/** Returns true for 1 to 64 letters, digits or characters of `_.:/@+-`. */
export function isTagValue(text: string): boolean {
  return valueRule.test(text);
}

/** The text of a tag, by which rows, rollups and budgets know it: `team=a`. */
export function tagText({ key, value }: Tag): string {
  return `${key}=${value}`;
}

/** The tag of a text that `tagText` wrote. */
export function tagOfText(text: string): Tag {
  const at = text.indexOf("=");
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
