import type { Citation, MediaSource } from "../../canonical/mod.ts";
import type { MediumPart } from "./places.ts";

/** Writes citations and media as Markdown for answers of formats that have no place for them. */

const quoteCharsMax = 160;

/**
 * The sources of a cited text, to be appended to it: pages as links, documents by title and quote.
 * Empty if the text already names them all.
 */
export function citedText(text: string, citations: readonly Citation[]): string {
  const said = new Set<string>();
  for (const citation of citations) {
    const source = isLink(citation.url) ? linked(citation, text) : worded(citation);
    if (source !== undefined) said.add(source);
  }
  if (said.size === 0) return "";
  return `${text === "" || /\s$/.test(text) ? "" : " "}(${[...said].join(", ")})`;
}

/** Returns true if a citation has an address, a title or a quote. */
export function isSayable({ url, title, quote }: Citation): boolean {
  return [url, title, quote].some((said) => said !== undefined && said.trim() !== "");
}

/** True if a citation quotes its source. Some formats repeat the answer's own words instead. */
export function quotesSource({ quote, start = 0, end }: Citation, text: string): boolean {
  return quote !== undefined && quote !== text.slice(start, end);
}

/** A link to a medium. Returns undefined if its source has neither an address nor bytes. */
export function mediumText(part: MediumPart): string | undefined {
  const url = addressOf(part.source, part.mediaType ?? usualTypes[part.type]);
  if (url === undefined) return undefined;
  const name = part.type === "file" && part.name ? escaped(part.name) : part.type;
  return `${part.type === "image" ? "!" : ""}[${name}](${safeUrl(url)})`;
}

/** The text as a separate paragraph. `before` is the end of the text that precedes it. */
export function paragraph(before: string, text: string): string {
  const lead = before === "" || before.endsWith("\n\n")
    ? ""
    : before.endsWith("\n")
    ? "\n"
    : "\n\n";
  return `${lead}${text.trimEnd()}\n\n`;
}

const usualTypes = {
  image: "image/png",
  audio: "audio/wav",
  video: "video/mp4",
  file: "application/octet-stream",
} as const satisfies Record<MediumPart["type"], string>;

function addressOf(source: MediaSource, mediaType: string): string | undefined {
  switch (source.type) {
    case "url":
      return isLink(source.url) || source.url.startsWith("data:") ? source.url : undefined;
    case "base64":
      return source.data === "" ? undefined : `data:${mediaType};base64,${source.data}`;
    case "text":
      return `data:${mediaType};base64,${new TextEncoder().encode(source.text).toBase64()}`;
    case "file-id":
      return undefined;
    default:
      return source satisfies never;
  }
}

function linked({ url = "", title }: Citation, text: string): string | undefined {
  if (hasAddress(text, url)) return undefined;
  return `[${escaped(title?.trim() || url)}](${safeUrl(url)})`;
}

/** Returns true if a text contains the address itself, and not only a longer one with the same beginning. */
function hasAddress(text: string, url: string): boolean {
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + url.length)) {
    const end = at + url.length;
    if (!/^(?:[\w/?#%&=~+:@-]|\.\w)/.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

function worded({ url, title, quote }: Citation): string | undefined {
  const name = escaped((title ?? url ?? "").trim());
  const words = (quote ?? "").trim().replace(/\s+/g, " ");
  const shown = words.length > quoteCharsMax ? `${words.slice(0, quoteCharsMax)}…` : words;
  return [name, shown === "" ? "" : `“${escaped(shown)}”`].filter((said) => said !== "")
    .join(": ") || undefined;
}

function isLink(url = ""): boolean {
  return /^https?:\/\//i.test(url);
}

/** Escapes a title of an upstream, so that it cannot close the link and open another. */
function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\[\]`]/g, "\\$&");
}

function safeUrl(url: string): string {
  return /[\s()<>]/.test(url)
    ? url.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)
    : url;
}
