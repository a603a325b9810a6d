/** How many signs of life the text of a stream holds: comments, pings, and spaces that a line of data has too many. */
export function signsIn(text: string): number {
  const apart = text.match(/^(: keep-alive|event: ping)$/gm) ?? [];
  const grown = text.match(/^data: +/gm) ?? [];
  return grown.reduce((count, lead) => count + lead.length - "data: ".length, apart.length);
}
