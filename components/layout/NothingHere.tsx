import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { BarePage } from "./BarePage.tsx";

/** The page of an expired or unknown link, with a link to sign in. */
export function NothingHere({ view, title, text, back, children }: {
  view: View;
  title: string;
  text: string;
  /** The address to return to after a change of theme or language. */
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
