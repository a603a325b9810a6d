import type { Token } from "marked";
import { type ComponentChildren, Fragment, h } from "preact";
import { linkOf } from "../../lib/docs/mod.ts";
import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";

/** Inline text of a block. HTML in a document is never rendered; all text is escaped. */
export function Inline({ tokens = [], slug }: { tokens?: readonly Token[]; slug: string }) {
  const children = tokens.map((token) => inlineOf(token, slug));
  return h(Fragment, null, children); // as JSX, texts in a list are escaped twice
}

function inlineOf(token: Token, slug: string): ComponentChildren {
  const children = "tokens" in token && token.tokens
    ? <Inline tokens={token.tokens} slug={slug} />
    : undefined;
  switch (token.type) {
    case "strong":
      return <strong>{children}</strong>;
    case "em":
      return <em>{children}</em>;
    case "codespan":
      return <code {...untranslated}>{token.text}</code>;
    case "link":
      return <DocLink href={linkOf(token.href, slug)}>{children}</DocLink>;
    case "br":
      return <br />;
    case "html":
      return null;
    default:
      return children ?? ("text" in token ? token.text : "");
  }
}

function DocLink({ href, children }: { href: string | undefined; children: ComponentChildren }) {
  return href === undefined ? <>{children}</> : <A href={href}>{children}</A>;
}
