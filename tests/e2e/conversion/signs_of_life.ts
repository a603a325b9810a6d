/** Counts the keep-alives in a stream's text: comments, pings, and extra spaces before data. */
export function signsIn(text: string): number {
  const apart = text.match(/^(: keep-alive|event: ping)$/gm) ?? [];
  const grown = text.match(/^data: +/gm) ?? [];
  return grown.reduce((count, lead) => count + lead.length - "data: ".length, apart.length);
}
