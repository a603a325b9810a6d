import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/** Warns administrators on every page that the store cannot record calls, with the remedy. */
export function StoreNotice({ view: { catalog, storeFault } }: { view: AccountView }) {
  if (storeFault === undefined) return null;
  const { label, faults, refused } = catalog.store;
  return (
    <aside class="site-notice" role="alert" aria-label={label}>
      <Icon name="triangle-alert" />
      <p>
        <b>{label}.</b> {faults[storeFault]} {refused}
      </p>
    </aside>
  );
}
