import type { AccountView } from "../../lib/console/page/view.ts";
import { type Who, whoHref, whos } from "../../lib/console/page/who.ts";
import { A } from "../A.tsx";

/** Switches a page between the administrator's own data and everyone's. Others have no choice. */
export function WhoSwitch({ view, who }: { view: AccountView; who: Who }) {
  const { catalog: { who: texts }, hasOthers, path } = view;
  if (!hasOthers) return null;
  return (
    <nav class="choice-links" aria-label={texts.label}>
      {whos.map((one) => (
        <A key={one} href={whoHref(path, one)} current={one === who}>{texts[one]}</A>
      ))}
    </nav>
  );
}
