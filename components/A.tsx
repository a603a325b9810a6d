import type { JSX } from "preact";

/**
 * A link that is marked as current only if `current` is set. Fresh marks every link to the page
 * itself and to its ancestors unless `aria-current` is set. Null counts as set, and Preact writes
 * no attribute for it.
 */
export function A(
  { current, ...props }: Omit<JSX.AnchorHTMLAttributes, "aria-current"> & {
    /** "page" in a menu of pages; true for the chosen one of several views of a page. */
    current?: boolean | "page";
  },
) {
  // Sound: Preact takes null for any attribute, which its types leave out.
  const mark = (current ? String(current) : null) as "page" | "true";
  return <a {...props} aria-current={mark} />;
}
