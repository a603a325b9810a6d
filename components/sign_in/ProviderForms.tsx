import type { ProviderLink } from "../../lib/console/sign_in/sso.ts";
import { HiddenFields } from "./HiddenFields.tsx";

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
