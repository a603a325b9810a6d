import type { View } from "../../lib/console/page/view.ts";
import type { ProviderLink } from "../../lib/console/sign_in/sso.ts";
import { A } from "../A.tsx";

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
