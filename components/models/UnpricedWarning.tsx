import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/** Names the models that a budget or a prepaid balance would refuse; absent where there is none. */
export function UnpricedWarning({ view }: { view: AccountView }) {
  const warning = view.unpricedWarning();
  if (warning === undefined) return null;
  return (
    <p class="caution">
      <Icon name="triangle-alert" small />
      {warning}
    </p>
  );
}
