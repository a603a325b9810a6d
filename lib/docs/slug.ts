/** The anchors of a page's headings, as GitHub makes them: a repeated one gets a number. */
export function anchorsOf(headings: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const anchor = anchorOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Lower case, hyphens for blanks, no punctuation. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
