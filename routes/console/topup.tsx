import { page } from "fresh";
import { ConsolePage } from "../../components/ConsolePage.tsx";
import { Icon } from "../../components/Icon.tsx";
import { defineForAccount } from "../../lib/console/state.ts";
import { accountView } from "../../lib/console/view.ts";

export const handler = defineForAccount.handlers({ GET: () => page({}) });

/** The address of the wallet. As long as nothing is charged it says that, and no more. */
export default defineForAccount.page<typeof handler>(({ state, url }) => {
  const view = accountView(state, url);
  const { balance } = view.catalog;
  return (
    <ConsolePage view={view} title={balance.title} place="balance">
      <section class="panel" aria-labelledby="balance">
        <header>
          <h2 id="balance">{balance.heading}</h2>
        </header>
        <div class="body stack prose">
          <p class="soft">{balance.text}</p>
          <p class="actions start">
            <a class="link" href="/console/log">
              {balance.usage}
              <Icon name="arrow-right" small />
            </a>
            <a class="link" href="/console/pricing">
              {balance.models}
              <Icon name="arrow-right" small />
            </a>
          </p>
        </div>
      </section>
    </ConsolePage>
  );
});
