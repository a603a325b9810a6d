import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/**
 * Warns of models without a price, which a budget or a prepaid balance refuses; nothing if there
 * are none.
 */
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
