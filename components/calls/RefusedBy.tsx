import { limitAmount, limitWords, showsAmounts } from "../../lib/console/calls/call_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";

interface RefusedByProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
}

/** The limit that refused a call, and its state at that time. */
export function RefusedBy({ view, call }: RefusedByProps) {
  const { refusedBy } = call;
  if (refusedBy === undefined) return null;
  const { catalog, formats } = view;
  const { limits } = catalog.logPage;
  const name = limitWords(refusedBy, catalog);
  const left = limitAmount(refusedBy, refusedBy.remaining, view);
  const { limit, resetsAtMs } = refusedBy;
  return (
    <p class="soft">
      {!showsAmounts(refusedBy, view.user)
        ? limits.usedUp(name)
        : limit === undefined
        ? limits.left(name, left)
        : limits.leftOf(name, limitAmount(refusedBy, limit, view), left)}
      {resetsAtMs !== undefined && ` ${limits.resets(formats.moment(resetsAtMs))}`}
    </p>
  );
}
