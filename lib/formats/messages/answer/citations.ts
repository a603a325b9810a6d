import type { Citation, JsonObject } from "../../../canonical/mod.ts";
import { filledText, objectsOf } from "../../wire_value.ts";
import { mark, ownFields } from "../native.ts";

/** A block's citations. They cover the whole block, whose text has `chars` UTF-16 units. */
export function decodeCitations(value: unknown, chars: number): { citations?: Citation[] } {
  const citations = objectsOf(value);
  if (citations.length === 0) return {};
  return { citations: citations.map((citation) => decodeCitation(citation, chars)) };
}

/** The citations of this format; others have no place in it. */
export function encodeCitations(citations: readonly Citation[] = []): JsonObject[] {
  return citations.map(ownFields).filter((own) => own !== undefined);
}

function decodeCitation(citation: JsonObject, chars: number): Citation {
  const [urls, titles] = membersOf.get(citation.type) ?? allMembers;
  const url = urls.map((name) => addressIn(citation, name)).find(Boolean);
  const title = titles.map((name) => filledText(citation[name])).find(Boolean);
  const quote = filledText(citation.cited_text);
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    start: 0,
    end: chars,
    ...(quote !== undefined && { quote }),
    ...mark(citation),
  };
}

/** The members with the address and with the title, by the citation's type. */
type Members = readonly [readonly string[], readonly string[]];
const allMembers: Members = [["url", "source"], ["title", "document_title"]];
const membersOf: ReadonlyMap<unknown, Members> = new Map<string, Members>([
  ["web_search_result_location", [["url"], ["title"]]],
  ["search_result_location", [["source"], ["title"]]],
  ["char_location", [[], ["document_title"]]],
  ["page_location", [[], ["document_title"]]],
  ["content_block_location", [[], ["document_title"]]],
]);

/** The caller may name the sources of its own search results in any way. */
function addressIn(citation: JsonObject, name: string): string | undefined {
  const text = filledText(citation[name]);
  return name === "url" || (text && /^https?:\/\//.test(text)) ? text : undefined;
}
