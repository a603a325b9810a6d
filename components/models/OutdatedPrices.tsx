import type { OutdatedPrice } from "../../lib/admin/models/price_changes.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { ListTable } from "../Table.tsx";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";
import { changeText } from "./PriceNow.tsx";

interface OutdatedPricesProps {
  readonly view: AccountView;
  readonly prices: readonly OutdatedPrice[];
  readonly choseNothing: boolean;
}

/** Price overrides beside the catalog's prices, to select those to reset. */
export function OutdatedPrices({ view, prices, choseNothing }: OutdatedPricesProps) {
  const { models, priceAdmin: texts } = view.catalog;
  return (
    <form method="post" action="/console/pricing/catalog">
      {choseNothing && <p class="hint below" role="alert">{texts.catalogNothing}</p>}
      <ListTable
        caption={texts.catalogTitle}
        rows={prices}
        keyOf={({ id }) => id}
        columns={[
          {
            head: texts.catalogReview,
            unseen: true,
            class: "tick",
            cell: ({ id }) => (
              <input type="checkbox" name="model" value={id} aria-label={texts.choose(id)} />
            ),
          },
          {
            head: models.name,
            type: "name",
            cell: ({ id }) => <span {...untranslated}>{id}</span>,
          },
          {
            head: texts.what,
            class: "wrap",
            cell: ({ differences }) => (
              <ul class="changes">
                {differences.map(({ field, own: before, listed: after }) => (
                  <li key={field}>{changeText({ field, before, after }, view)}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <div class="bar-actions">
        <button class="button primary" type="submit">{texts.catalogReview}</button>
      </div>
    </form>
  );
}

/** Confirms that models follow the catalog again. */
export function TakePrices(
  { view, models }: { view: AccountView; models: readonly string[] },
) {
  const { priceAdmin: texts } = view.catalog;
  const path = "/console/pricing/catalog";
  return (
    <Question
      action={path}
      id="take"
      title={texts.catalogConfirmTitle(models.length)}
      text={texts.catalogConfirmText}
      back={path}
      cancel={texts.cancel}
      confirm={texts.catalogConfirm}
      tone="primary"
      field={{ name: "confirm", value: "true" }}
    >
      <ul class="names" {...untranslated}>{models.map((id) => <li key={id}>{id}</li>)}</ul>
      {models.map((id) => <input key={id} type="hidden" name="model" value={id} />)}
    </Question>
  );
}
