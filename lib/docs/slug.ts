/** The anchor of a heading, as GitHub makes it: lower case, hyphens for blanks, no punctuation. */
export function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
