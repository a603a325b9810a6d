/** A breach of the rules for plain English: where it begins in the text, its sentence and the rule. */
export interface Breach {
  readonly index: number;
  readonly sentence: string;
  readonly rule: string;
}

/** Right uses of refused words. Each is removed from the text before the rules read it. */
const allowed: readonly { readonly use: RegExp; readonly reason: string }[] = [
  { use: /\b(?:tell|tells|told)(?: [\w']+){1,6} (?:apart|from)\b/gi, reason: "to distinguish" },
];

const archaic: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\bbesides\b/gi, instead: "also, or except" },
  { word: /\bmend(?:s|ed|ing)?\b/gi, instead: "fix" },
  { word: /\blately\b/gi, instead: "recently" },
  { word: /\bfor good\b/gi, instead: "permanently" },
  { word: /\b(?:tell|tells|told)\b/gi, instead: "report, notify, return or show" },
  { word: /\bbegun\b/gi, instead: "started" },
  { word: /\basked for\b/gi, instead: "requested" },
  { word: /\bstands?\b(?!-)/gi, instead: "is, or is listed" },
  { word: /\b(?:bears?|bearing|borne)\b/gi, instead: "has, or carries" },
  { word: /\blies?\b/gi, instead: "is, or is stored" },
  {
    word: /\b(?:whom|whereof|wherein|whence|thence|thereof|hitherto|anew|naught|amiss)\b/gi,
    instead: "a plain word",
  },
  { word: /\b(?:hung|hangs?) up\b/gi, instead: "disconnected" },
  {
    word:
      /\b(?:is|are|was|were|be|goes|go|went|all) well\b(?=[.,;:)]|$| (?:and|or|again|comes|before))/gi,
    instead: "healthy, or succeeded",
  },
  { word: /\bone's own\b/gi, instead: "your own" },
  { word: /\bfares?\b/gi, instead: "performs, or the health of" },
];

/** A clause in the place of the subject. Adverbial "When …, …" and "Where …, …" have a comma. */
const clauses: readonly RegExp[] = [
  /^(?:what|who|whoever|whose|whom|whether|whatever|whichever|which|that which)\s+\S/i,
  /^how\s+(?!to\b)\S/i,
  /^why\s+(?!not\b)\S/i,
  /^(?:when|where)\s+(?!to\b)[^,]+$/i,
];

/** Breaches in prose: comments without their marks, a literal's text, or Markdown without code. */
export function breachesIn(prose: string): Breach[] {
  const text = withoutQuotes(prose);
  return [...clauseBreaches(text), ...wordBreaches(text)].sort((a, b) => a.index - b.index);
}

function clauseBreaches(text: string): Breach[] {
  return sentencesOf(text)
    .filter(({ sentence }) => !sentence.endsWith("?") && clauses.some((c) => c.test(sentence)))
    .map((found) => ({ ...found, rule: "clause as subject" }));
}

function wordBreaches(text: string): Breach[] {
  return archaic.flatMap(({ word, instead }) =>
    [...text.matchAll(word)].map((match) => ({
      index: match.index,
      sentence: text.slice(Math.max(0, match.index - 30), match.index + 40).replace(/\s+/g, " ")
        .trim(),
      rule: `"${match[0]}": write ${instead}`,
    }))
  );
}

/** Sentences, list items, headings and cells of a table, each from its first letter on. */
function sentencesOf(text: string): { index: number; sentence: string }[] {
  const boundary = /(?<=[.!?]["”)*_]{0,3})\s+|\n\s*\n|\n(?=\s*(?:[-*#]+|\d+\.)\s)|\|/g;
  const ends = [...text.matchAll(boundary)].map((match) => match.index + match[0].length);
  return [0, ...ends].flatMap((start, at) => {
    const piece = text.slice(start, ends[at]);
    const lead = /^[^A-Za-z]*/.exec(piece)?.[0] ?? "";
    if (/#\s/.test(lead) && /^(?:how|why|when|where)\b/i.test(piece.slice(lead.length))) return [];
    const sentence = piece.slice(lead.length).replace(/\|$/, "").replace(/\s+/g, " ").trim();
    return sentence ? [{ index: start + lead.length, sentence }] : [];
  });
}

/** Code and quotations keep their length, so that indexes stay those of the source. */
function withoutQuotes(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, "_");
  const unquoted = text.replace(/`[^`]*`|"[^"\n]{0,120}"|“[^”\n]{0,120}”|https?:\S+/g, blank);
  return allowed.reduce((left, { use }) => left.replace(use, blank), unquoted);
}
