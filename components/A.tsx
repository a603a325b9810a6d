import type { ComponentChildren, JSX } from "preact";
import { useContext } from "preact/hooks";
import { Icon } from "./Icon.tsx";
import { Opens } from "./opens.ts";

/**
 * A link that is marked as current only if `current` is set. By default, Fresh marks every link to
 * the current page and to its ancestors. A null `aria-current` prevents that, and Preact writes no
 * attribute for it. A page that the reader's role may not open is named without a link; a button to
 * it is left out.
 */
export function A(
  { current, ...props }: Omit<JSX.AnchorHTMLAttributes, "aria-current"> & {
    /** "page" in a menu of pages; true for the chosen one of several views of a page. */
    current?: boolean | "page";
  },
) {
  const opens = useContext(Opens);
  if (!opens(String(props.href))) {
    return isButton(props.class) ? null : <span class={props.class}>{props.children}</span>;
  }
  // Sound: Preact takes null for any attribute, which its types leave out.
  const mark = (current ? String(current) : null) as "page" | "true";
  return <a {...props} aria-current={mark} />;
}

/** Returns true for a link that names an action or a place, rather than a record in a text. */
function isButton(look: JSX.AnchorHTMLAttributes["class"]): boolean {
  return /^(button|icon-button|item|link|crumb|next)\b/.test(String(look));
}

/** A link to the page that says more, at the end of a heading's line or of a text. */
export function Onward({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <A class="link" href={href}>
      {children}
      <Icon name="arrow-right" small />
    </A>
  );
}

/** The primary action of a list's page, which the key C runs. */
export function CreateLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <A class="button primary" href={href} data-create>
      <Icon name="plus" />
      {children}
    </A>
  );
}
