import type { Token } from "marked";
import { type ComponentChildren, Fragment, h } from "preact";
import { untranslated } from "../untranslated.ts";
import { safeImage, safeLink } from "./safe_link.ts";

/** Inline text. Preact escapes all of it; other marks than these are shown as text. */
export function MarkdownInline({ tokens = [] }: { tokens?: readonly Token[] }) {
  return h(Fragment, null, tokens.map(inlineOf)); // as JSX, texts in a list are escaped twice
}

function inlineOf(token: Token, key: number): ComponentChildren {
  const children = "tokens" in token && token.tokens
    ? <MarkdownInline tokens={token.tokens} />
    : undefined;
  switch (token.type) {
    case "strong":
      return <strong key={key}>{children}</strong>;
    case "em":
      return <em key={key}>{children}</em>;
    case "del":
      return <del key={key}>{children}</del>;
    case "codespan":
      return <code key={key} {...untranslated}>{token.text}</code>;
    case "link":
      return <WebLink key={key} href={token.href}>{children}</WebLink>;
    case "image":
      return <Picture key={key} href={token.href} text={token.text} />;
    case "br":
      return <br key={key} />;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    default:
      return children ?? ("text" in token ? unescaped(token.text) : token.raw);
  }
}

function WebLink({ href, children }: { href: string; children: ComponentChildren }) {
  const address = safeLink(href);
  if (address === undefined) return <>{children}</>;
  return <a href={address} target="_blank" rel="noopener noreferrer nofollow">{children}</a>;
}

function Picture({ href, text }: { href: string; text: string }) {
  const source = safeImage(href);
  if (source !== undefined) return <img class="picture" src={source} alt={text} />;
  return <WebLink href={href}>{text || href}</WebLink>;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity]);
}
