/** The content types that a request accepts, best first. */
export function accepts(request: Pick<Request, "headers">): string[];
/** The one of these content types that suits a request best; without a header, the first. */
export function accepts(request: Pick<Request, "headers">, ...types: string[]): string | undefined;
export function accepts(
  request: Pick<Request, "headers">,
  ...types: string[]
): string[] | string | undefined {
  const header = request.headers.get("accept");
  if (types.length === 0) {
    if (header === null) return ["*/*"];
    return rangesOf(header).filter(({ quality }) => quality > 0).map(({ type }) => type);
  }
  return header === null ? types[0] : bestOf(types, rangesOf(header));
}

/** One member of an `Accept` header (RFC 9110, section 12.5.1). */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function rangesOf(header: string): MediaRange[] {
  return header.split(",").map(rangeOf)
    .filter(({ type }) => type !== "")
    .toSorted((a, b) => b.quality - a.quality);
}

function rangeOf(member: string): MediaRange {
  const [type, ...parameters] = member.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}

function bestOf(types: readonly string[], ranges: readonly MediaRange[]): string | undefined {
  const rated = types.map((type) => ({ type, quality: qualityOf(type, ranges) }));
  const best = Math.max(...rated.map(({ quality }) => quality));
  return best > 0 ? rated.find(({ quality }) => quality === best)?.type : undefined;
}

/** What the most specific range that covers a type grants it. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const [kind] = type.split("/");
  for (const covering of [type, `${kind}/*`, "*/*"]) {
    const range = ranges.find((range) => range.type.toLowerCase() === covering.toLowerCase());
    if (range !== undefined) return range.quality;
  }
  return 0;
}
