import type { Token } from "marked";

/** The text of a block without its markup; comments and other HTML have none. */
export function plainText(token: Token): string {
  if (token.type === "html") return "";
  if (token.type === "table") {
    return [token.header, ...token.rows].flat().map(plainCell).join(" ");
  }
  if (token.type === "list") return token.items.map(plainText).join(" ");
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? token.text : "";
}

function plainCell({ tokens }: { readonly tokens: readonly Token[] }): string {
  return tokens.map(plainText).join("");
}
