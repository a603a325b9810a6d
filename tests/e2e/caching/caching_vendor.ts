import { hash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { refusalsOf } from "../../strict/mod.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";

/** The work of the vendor's cache for one call, in tokens. */
export interface CacheUse {
  readonly input: number;
  readonly read: number;
  readonly written: number;
  /** Blocks before and with each breakpoint. */
  readonly breakpoints: readonly number[];
}

export interface CachingVendor extends FakeUpstream {
  readonly uses: CacheUse[];
}

const charsPerToken = 4;
/** No shorter prefix is stored. */
const cacheableTokensMin = 1_024;
/** From a breakpoint the vendor looks for a stored prefix so many blocks back. */
const lookbackBlocks = 20;

/**
 * An upstream of the messages format with a prompt cache like the vendor's: prefixes in the order
 * tools, system, messages are stored up to each breakpoint and found from each. It refuses what the
 * vendor refuses, and never forgets.
 */
export function startCachingVendor(): CachingVendor {
  const stored = new Set<string>();
  const uses: CacheUse[] = [];
  const upstream = startUpstream(({ path, headers, body: text }) => {
    const body: JsonObject = JSON.parse(text);
    const [refusal] = refusalsOf("messages", { path, headers, body });
    if (refusal) {
      const error = { type: "invalid_request_error", message: refusal.message };
      return Response.json({ type: "error", error }, { status: 400 });
    }
    const use = served(body, stored);
    uses.push(use);
    return Response.json(answer(use, body.max_tokens !== 0));
  });
  return { ...upstream, uses };
}

interface Block {
  /** Of everything up to this block and with it, marks left out. */
  readonly prefix: string;
  readonly tokens: number;
  readonly marked: boolean;
}

function served(body: JsonObject, stored: Set<string>): CacheUse {
  const blocks = blocksOf(body);
  const marks = blocks.flatMap(({ marked }, index) => marked ? [index] : []);
  if (body.cache_control) marks.push(blocks.length - 1);
  const hits = marks.flatMap((mark) =>
    blocks.slice(Math.max(0, mark - lookbackBlocks), mark + 1)
      .filter(({ prefix }) => stored.has(prefix)).map((block) => blocks.indexOf(block))
  );
  const tokensTo = (index: number) =>
    blocks.slice(0, index + 1).reduce((sum, { tokens }) => sum + tokens, 0);
  const read = tokensTo(Math.max(-1, ...hits));
  const long = marks.filter((mark) => tokensTo(mark) >= cacheableTokensMin);
  for (const mark of long) stored.add(blocks[mark].prefix);
  const written = Math.max(0, tokensTo(Math.max(-1, ...long)) - read);
  const input = tokensTo(blocks.length - 1) - read - written;
  return { input, read, written, breakpoints: marks.map((mark) => mark + 1) };
}

function blocksOf({ tools, system, messages }: JsonObject): Block[] {
  const said = objectsOf(messages).flatMap(({ role, content }) =>
    contentOf(content).map((block) => ({ ...block, role }))
  );
  const blocks: Block[] = [];
  for (const block of [...objectsOf(tools), ...contentOf(system), ...said]) {
    const { cache_control: mark, ...content }: JsonObject = block;
    const text = JSON.stringify(content);
    blocks.push({
      prefix: hash("sha256", (blocks.at(-1)?.prefix ?? "") + text),
      tokens: Math.ceil(text.length / charsPerToken),
      marked: mark !== undefined,
    });
  }
  return blocks;
}

function contentOf(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A call of no tokens only fills the cache. */
function answer({ input, read, written }: CacheUse, isAsked: boolean): JsonObject {
  return messagesAnswer({
    model: "claude-sonnet-4-5",
    content: isAsked ? [{ type: "text", text: "Done." }] : [],
    stop_reason: isAsked ? "end_turn" : "max_tokens",
    usage: {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: isAsked ? 10 : 0,
    },
  });
}
