import type { View } from "../../lib/console/page/view.ts";
import type { LeavingData } from "../../lib/console/sign_in/sso.ts";
import { A } from "../A.tsx";
import { BarePage } from "../layout/BarePage.tsx";

/** The page between a form and a provider, which the browser leaves by itself. */
export function Leaving({ view, data }: { view: View; data: LeavingData }) {
  const { sso: texts } = view.catalog.security;
  const title = texts.leaving(data.name);
  return (
    <BarePage view={view} title={title} back={data.back}>
      <h1>{title}</h1>
      <p class="soft">{texts.leavingText}</p>
      <A class="button primary" href={data.url}>{title}</A>
    </BarePage>
  );
}
