import { page } from "fresh";
import { RecoveryCodes } from "../../../../components/account/SecondStep.tsx";
import { ShownAlready } from "../../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { showOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** Shows the new recovery codes once, to their creator. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    const text = await showOnce(searchParams.get("once"), state);
    return page({ codes: text?.split("\n") });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { codes }, state, url }) => {
  const view = accountView(state, new URL("/console/account", url));
  const { title, back, secondStep: texts } = view.catalog.security;
  return (
    <ConsolePage view={view} title={title} place="account">
      {codes ? <RecoveryCodes view={view} codes={codes} /> : (
        <ShownAlready
          title={texts.shownTitle}
          text={texts.shownText}
          back={back}
          path="/console/account"
        />
      )}
    </ConsolePage>
  );
});
