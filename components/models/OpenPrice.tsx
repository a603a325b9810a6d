import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { TextField } from "../controls.tsx";

/** Links to models outside the list, and to prices that differ from the catalog. */
export function OpenPrice({ view, outdated }: { view: AccountView; outdated: number }) {
  const { catalog: { modelPrices, priceAdmin: texts }, formats } = view;
  return (
    <Panel id="open" title={texts.openTitle}>
      <form class="body which" action="/console/admin/prices/model">
        <TextField
          name="id"
          label={modelPrices.model}
          maxLength={200}
          spellcheck={false}
          required
        />
        <div class="actions start">
          <button class="button" type="submit">{texts.open}</button>
          {outdated > 0 && (
            <A class="button" href="/console/admin/prices/catalog">
              {texts.catalogLink(formats.count(outdated))}
            </A>
          )}
        </div>
      </form>
    </Panel>
  );
}
