import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { untranslated } from "../untranslated.ts";

/** Confirms that models follow the catalog again. */
export function TakePrices(
  { view, models }: { view: AccountView; models: readonly string[] },
) {
  const { priceAdmin: texts } = view.catalog;
  const path = "/console/admin/prices/catalog";
  return (
    <section class="card" aria-labelledby="take">
      <form class="inside" method="post" action={path}>
        <h2 id="take">{texts.catalogConfirmTitle(models.length)}</h2>
        <p>{texts.catalogConfirmText}</p>
        <ul class="names" {...untranslated}>{models.map((id) => <li key={id}>{id}</li>)}</ul>
        {models.map((id) => <input key={id} type="hidden" name="model" value={id} />)}
        <div class="actions">
          <A class="button" href={path}>{texts.cancel}</A>
          <button class="button primary" type="submit" name="confirm" value="true">
            {texts.catalogConfirm}
          </button>
        </div>
      </form>
    </section>
  );
}
