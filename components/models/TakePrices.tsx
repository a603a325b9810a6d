import type { AccountView } from "../../lib/console/page/view.ts";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";

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
