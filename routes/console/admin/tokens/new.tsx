import type { ComponentProps } from "preact";
import { Panel } from "../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { TokenForm } from "../../../../components/tokens/TokenForm.tsx";
import { createToken, unlessFull } from "../../../../lib/admin/tokens.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { keepShownOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  type MadeToken,
  readTokenForm,
  tokenSettingsOf,
} from "../../../../lib/console/tokens/token_form.ts";

type NewTokenData = Omit<ComponentProps<typeof TokenForm>, "view">;

/** Creates a token; the next page shows it once. */
export const handler = defineForm<NewTokenData>({
  load: ({ state: { account } }) => ({
    values: readTokenForm(new URLSearchParams(), account.user.role),
    faults: {},
  }),

  async submit(ctx, form, { again }) {
    const values = readTokenForm(form, ctx.state.account.user.role);
    const result = tokenSettingsOf(values, ctx.state.nowMs);
    if (result.type === "invalid") return await again({ values, faults: result.faults });
    const created = await unlessFull(createToken(ctx, result.settings));
    if (created === "full") return await again({ values, faults: { name: "full" } });
    const { token: { name }, secret } = created;
    const made: MadeToken = { name, secret };
    const once = await keepShownOnce(JSON.stringify(made), ctx.state);
    return seeOther(`/console/admin/tokens/made?once=${once}`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { tokens: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.title} place="tokens">
      <Panel id="new-token" title={texts.addTitle} class="form-panel">
        <TokenForm view={view} {...data} />
      </Panel>
    </ConsolePage>
  );
});
