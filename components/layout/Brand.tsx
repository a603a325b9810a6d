import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";

/** Four tiles, one of them set apart: the mark of Tessera. */
export function Mark() {
  return (
    <svg class="mark" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="6" />
      <path class="tile" d="M6 6h6v6H6zM6 14h6v6H6zM14 14h6v6h-6z" />
      <path class="tile far" d="M14 6h6v6h-6z" />
    </svg>
  );
}

export function Brand({ href, site }: { href: string; site: string }) {
  return (
    <A class="brand" href={href}>
      <Mark />
      <span {...untranslated}>{site}</span>
    </A>
  );
}
