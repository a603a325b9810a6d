import CreateKey from "../islands/CreateKey.tsx";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";

/** The button that creates a key, with the texts that its dialog needs. */
export function CreateKeyAction(
  { view: { catalog }, groups }: { view: AccountView; groups: readonly string[] },
) {
  return (
    <CreateKey
      open={catalog.keys.create}
      groups={groups}
      texts={catalog.keyForm}
    />
  );
}

/** The same without a dialog, for pages whose scripts are spent on listening. */
export function CreateKeyLink({ view: { catalog } }: { view: AccountView }) {
  return (
    <a class="button primary" href="/console/token/new" aria-current="false">
      <Icon name="plus" />
      {catalog.keys.create}
    </a>
  );
}
