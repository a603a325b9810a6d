import CreateKey from "../islands/CreateKey.tsx";
import type { AccountView } from "../lib/console/view.ts";

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
