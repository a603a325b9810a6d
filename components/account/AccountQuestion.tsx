import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";

/** Confirms a change to the reader's own account. The form posts to the page's own address. */
export function AccountQuestion(
  { view, title, text, confirm, danger = true }: {
    view: AccountView;
    title: string;
    text: string;
    /** The label of the button. */
    confirm: string;
    /** Set if the change loses something. */
    danger?: boolean;
  },
) {
  const { security: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="account">
      <section class="card wide" aria-labelledby="question">
        <form class="inside" method="post">
          <h2 id="question">{title}</h2>
          <p>{text}</p>
          <div class="actions">
            <A class="button" href="/console/account">{texts.cancel}</A>
            <button class={danger ? "button danger" : "button primary"} type="submit">
              {confirm}
            </button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
}
