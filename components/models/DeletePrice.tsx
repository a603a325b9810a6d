import { modelPath } from "../../lib/console/models/model_path.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ModelPrice } from "../../lib/store/catalog/mod.ts";
import { Icon } from "../Icon.tsx";

/**
 * Deletes a price override after a confirmation that names the price that replaces it. Works
 * without a script.
 */
export function DeletePrice(
  { view, id, listed }: { view: AccountView; id: string; listed?: ModelPrice },
) {
  const { catalog: { priceAdmin: texts }, formats } = view;
  return (
    <div class="body actions start">
      <button class="button" type="button" popovertarget="delete-price">
        <Icon name="trash-2" small />
        {listed ? texts.reset : texts.resetNone}
      </button>
      <div
        class="question"
        id="delete-price"
        popover="auto"
        role="dialog"
        aria-labelledby="delete-price-title"
      >
        <form method="post" action={modelPath(id)}>
          <h2 id="delete-price-title">{texts.resetTitle(id)}</h2>
          <p>
            {listed
              ? texts.resetText(formats.usd(listed.input), formats.usd(listed.output))
              : texts.resetTextNone}
          </p>
          <div class="actions">
            <button
              class="button"
              type="button"
              popovertarget="delete-price"
              popovertargetaction="hide"
            >
              {texts.cancel}
            </button>
            <button class="button danger" type="submit" name="intent" value="reset">
              {texts.resetConfirm}
            </button>
          </div>
        </form>
      </div>
    </div>
  );
}
