import type {
  Change,
  Citation,
  JsonObject,
  NativePart,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "../../canonical/mod.ts";
import { filledText, objectOf, objectsOf, restOf, textOf } from "../wire_value.ts";
import { nativeBlock } from "./answer/hosted_markdown.ts";
import { decodeCache } from "./cache.ts";
import { changeOfBlock } from "./conversation_changes.ts";
import { decodeDocument, decodeImage } from "./media.ts";
import { keep, mark, ownFields } from "./native.ts";
import { carriedProof, decodeThinking, issuedProof, returnedProof } from "./thoughts.ts";

/** The blocks of a message that a caller sent; a string is one block of text. */
export function decodeContent(content: unknown): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const parts: Part[] = [];
  let carried: ReturnType<typeof carriedProof>;
  for (const block of objectsOf(content)) {
    const proof = carriedProof(block);
    if (proof?.belongsTo === "previous") parts.push(...proven(parts.splice(-1), proof));
    else if (proof) carried = proof;
    else {
      parts.push(...proven([decodeBlock(block)], carried));
      carried = undefined;
    }
  }
  return parts;
}

/** One block of an upstream's answer. */
export function decodeAnswerBlock(block: JsonObject): Part {
  if (isNameless(block)) return nativeBlock(block);
  return block.type === "thinking" || block.type === "redacted_thinking"
    ? decodeThinking(block, issuedProof)
    : decodeBlock(block);
}

/** A call without a name calls nothing, in any format. */
export function isNameless({ type, name }: JsonObject): boolean {
  return type === "tool_use" && textOf(name) === "";
}

/** Decodes one block of a request. Blocks that only this format has stay whole. */
function decodeBlock(block: JsonObject): Part {
  switch (block.type) {
    case "text":
      return decodeText(block);
    case "image":
      return decodeImage(block) ?? unknownBlock(block);
    case "document":
      return decodeDocument(block) ?? unknownBlock(block);
    case "thinking":
    case "redacted_thinking":
      return decodeThinking(block, returnedProof);
    case "tool_use":
      return decodeToolUse(block);
    case "tool_result":
      return decodeToolResult(block);
    case "search_result":
      return textBlock(block, searchResultText(block));
    case "tool_reference":
      return textBlock(block, `Tool ${textOf(block.tool_name)} is available`);
    case "tool_addition":
    case "tool_removal":
      return { ...nativeBlock(block), ...changeIn(block) };
    default:
      return unknownBlock(block);
  }
}

function unknownBlock(block: JsonObject): NativePart {
  return { ...nativeBlock(block), isContent: true };
}

function changeIn(block: JsonObject): { change?: Change } {
  const change = changeOfBlock(block);
  return change ? { change } : {};
}

/** Restores the continuations of calls, which callers of this format return in blocks of their own. */
function proven(parts: Part[], proof: ReturnType<typeof carriedProof>): Part[] {
  return parts.map((part) =>
    proof && part.type === "tool-call" ? { ...part, continuation: proof.continuation } : part
  );
}

export function decodeText(block: JsonObject): TextPart {
  const text = textOf(block.text);
  return {
    type: "text",
    text,
    ...decodeCitations(block.citations, text.length),
    ...decodeCache(block.cache_control),
    ...keep(restOf(block, ["type", "text", "citations", "cache_control"])),
  };
}

/** The call itself; its arguments are the text of its `input`. */
function decodeToolUse(block: JsonObject): ToolCallPart {
  return {
    type: "tool-call",
    id: textOf(block.id),
    name: textOf(block.name),
    arguments: JSON.stringify(objectOf(block.input)),
    kind: "function",
    ...decodeCache(block.cache_control),
    ...keep(restOf(block, ["type", "id", "name", "input", "cache_control"])),
  };
}

function decodeToolResult(block: JsonObject): ToolResultPart {
  return {
    type: "tool-result",
    callId: textOf(block.tool_use_id),
    kind: "function",
    parts: typeof block.content === "string"
      ? decodeContent(block.content)
      : objectsOf(block.content).map(decodeBlock),
    isError: block.is_error === true,
    ...decodeCache(block.cache_control),
    ...keep(restOf(block, ["type", "tool_use_id", "content", "is_error", "cache_control"])),
  };
}

/** A block that any model can read as text, although only this format has a type for it. */
function textBlock(block: JsonObject, text: string): TextPart {
  return {
    type: "text",
    text,
    ...decodeCache(block.cache_control),
    ...keep({ block: restOf(block, ["cache_control"]) }),
  };
}

function searchResultText(block: JsonObject): string {
  const texts = objectsOf(block.content).map(({ text }) => textOf(text));
  return [textOf(block.title), textOf(block.source), ...texts].filter((text) => text !== "")
    .join("\n");
}

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
