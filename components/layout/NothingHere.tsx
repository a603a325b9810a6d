import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import { BarePage } from "./BarePage.tsx";
import { A } from "../A.tsx";

/** What a link shows that is no longer good, or that nothing stands behind: the way to sign in. */
export function NothingHere({ view, title, text, back, children }: {
  view: View;
  title: string;
  text: string;
  /** Where a change of theme or language leads back to. */
  back: string;
  children?: ComponentChildren;
}) {
  return (
    <BarePage view={view} title={title} back={back}>
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
      <A class="button primary" href="/login">{view.catalog.setup.goneAction}</A>
    </BarePage>
  );
}
