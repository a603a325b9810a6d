import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/** Tells administrators on every page that nothing can be recorded, and what to do. */
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
