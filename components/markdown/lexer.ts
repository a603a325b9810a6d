import { Lexer, type Token, Tokenizer } from "marked";

/** The blocks of a text that may still grow. */
export interface MarkdownState {
  /** The text of the blocks. */
  readonly text: string;
  /** Blocks that further text cannot change. Each step reuses the lists of the step before. */
  readonly settled: readonly (readonly Token[])[];
  /** The length of the settled blocks in the text. */
  readonly settledChars: number;
  /** Precedes the open text: the head of a code block or a table that began in a settled part. */
  readonly head: string;
  /** The last blocks. */
  readonly open: readonly Token[];
}

const empty: MarkdownState = { text: "", settled: [], settledChars: 0, head: "", open: [] };

/** The last blocks that stay open: a following line may still join them. */
const openBlocks = 2;
/** The text that is read at once. A longer block is divided. */
const windowChars = 16_000;

/**
 * Reads a text that grows at its end. Only the open blocks are read again, and they are short, so
 * that the work is proportional to the text.
 */
export function growMarkdown(state: MarkdownState = empty, wire: string): MarkdownState {
  const text = wire.includes("\r") ? wire.replaceAll(/\r\n?/g, "\n") : wire;
  if (text === state.text) return state;
  let known = text.startsWith(state.text) ? state : empty;
  while (text.length - known.settledChars > windowChars) known = settle(known, text);
  const tokens = blocksOf(known.head + text.slice(known.settledChars));
  return { ...known, text, open: tokens };
}

/** Reads one window, and settles its blocks except the last ones. */
function settle(known: MarkdownState, text: string): MarkdownState {
  const { settled, settledChars, head } = known;
  const window = windowAt(text, settledChars);
  const tokens = blocksOf(head + window);
  const complete = tokens.slice(0, -openBlocks);
  const source = complete.map(({ raw }) => raw).join("");
  const fits = source.length > head.length && (head + window).startsWith(source);
  return {
    ...known,
    settled: [...settled, fits ? complete : tokens],
    settledChars: settledChars + (fits ? source.length - head.length : window.length),
    head: fits ? "" : headOf(tokens.at(-1)),
  };
}

/** The next part of the text, up to the end of a line if there is one. */
function windowAt(text: string, from: number): string {
  const window = text.slice(from, from + windowChars);
  const end = window.lastIndexOf("\n") + 1;
  return end > 0 ? window.slice(0, end) : window;
}

/** The lines that let the rest of a divided block be read as a block of the same kind. */
function headOf(block: Token | undefined): string {
  const lines = (block?.raw ?? "").split("\n", 2);
  if (block?.type === "table") return `${lines.join("\n")}\n`;
  if (block?.type !== "code" || !/^ {0,3}(?:```|~~~)/.test(lines[0])) return "";
  const isClosed = /\n {0,3}(?:```|~~~)[`~]*\s*$/.test(block.raw);
  return isClosed ? "" : `${lines[0]}\n`;
}

/** Blocks without blank lines between them: those belong to the block before. */
function blocksOf(text: string): readonly Token[] {
  const blocks: Token[] = [];
  for (const token of lex(text)) {
    const last = blocks.at(-1);
    if (token.type === "space" && last) last.raw += token.raw;
    else blocks.push(token);
  }
  return blocks;
}

/** HTML and link definitions are text: a model's answer may come from anybody. */
class TextOnly extends Tokenizer {
  override html() {
    return undefined;
  }
  override tag() {
    return undefined;
  }
  override def() {
    return undefined;
  }
}

/** Reads blocks. A text that is nested too deeply is one paragraph without marks. */
function lex(text: string): readonly Token[] {
  if (isTooDeep(text)) return [plain(text)];
  try {
    const lexer = new Lexer({ gfm: true, breaks: true, tokenizer: new TextOnly() });
    const tokens = lexer.blockTokens(text, []);
    for (const { src, tokens } of lexer.inlineQueue) {
      if (isCostly(src)) tokens.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, tokens);
    }
    return tokens;
  } catch {
    return [plain(text)];
  }
}

function plain(text: string): Token {
  const tokens: Token[] = [{ type: "text", raw: text, text }];
  return { type: "paragraph", raw: text, text, tokens };
}

/** Each level of a quote or a list is read again for all levels inside it. */
function isTooDeep(text: string): boolean {
  return /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){21}/m.test(text) ||
    /^[ \t]{60,}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/m.test(text);
}

const [inlineCharsMax, marksMax] = [8_000, 600];

/** Marks without a counterpart are searched for in the rest of their paragraph. */
function isCostly(text: string): boolean {
  return text.length > inlineCharsMax || (text.match(/[*_~`[\]<>!@:]/g)?.length ?? 0) > marksMax;
}
