import { A } from "./A.tsx";

export interface PagerProps {
  readonly texts: Readonly<Record<"pages" | "newest" | "older", string>>;
  /** The address of the first page; absent there. */
  readonly newest?: string;
  /** The address of the next page; absent on the last. */
  readonly older?: string;
}

/** The ways to other pages of a list; nothing where there is one page only. */
export function Pager({ texts, newest, older }: PagerProps) {
  if (!newest && !older) return null;
  return (
    <nav class="pager" aria-label={texts.pages}>
      {newest && <A class="button small" href={newest}>{texts.newest}</A>}
      {older && <A class="button small" href={older}>{texts.older}</A>}
    </nav>
  );
}
