import type { View } from "../../lib/console/page/view.ts";
import type { LeavingData, ProviderLink } from "../../lib/console/sign_in/sso.ts";
import { A } from "../A.tsx";
import { BarePage } from "../layout/BarePage.tsx";
import { HiddenFields } from "./fields.tsx";

/** The buttons that sign in at a provider. */
export function ProviderLinks({ view, providers, next, lead }: {
  view: View;
  providers: readonly ProviderLink[];
  /** The path to continue to. */
  next: string;
  /** The text above the buttons. */
  lead?: string;
}) {
  if (providers.length === 0) return null;
  const { sso: texts } = view.catalog.security;
  const query = new URLSearchParams({ next });
  return (
    <div class="sso">
      {lead && <p class="or">{lead}</p>}
      {providers.map(({ id, name }) => (
        <A key={id} class="button" href={`/login/sso/${id}?${query}`}>
          {texts.continueWith(name)}
        </A>
      ))}
    </div>
  );
}

/** A button for each provider, which posts the provider's id with the fields. */
export function ProviderForms({ providers, action, fields = {}, label, lead }: {
  providers: readonly ProviderLink[];
  action: string;
  fields?: Readonly<Record<string, string>>;
  label: (name: string) => string;
  /** The text above the buttons. */
  lead?: string;
}) {
  return (
    <>
      {providers.map(({ id, name }, index) => (
        <form key={id} class="sso" method="post" action={action}>
          {index === 0 && lead && <p class="or">{lead}</p>}
          <HiddenFields fields={fields} />
          <button class="button" type="submit" name="provider" value={id}>{label(name)}</button>
        </form>
      ))}
    </>
  );
}

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
