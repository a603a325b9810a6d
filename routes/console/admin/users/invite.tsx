import { Panel } from "../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { type InviteData, InviteForm } from "../../../../components/users/InviteForm.tsx";
import { readEmail } from "../../../../lib/accounts/mod.ts";
import { mailLink } from "../../../../lib/admin/mail.ts";
import { invite, startsEmpty } from "../../../../lib/admin/users.ts";
import { publicOrigin, seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { keepShownOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  emptyInvite,
  invitationIn,
  inviteChoices,
  readInviteForm,
} from "../../../../lib/console/users/invite_form.ts";
import type { IssuedInvitation } from "../../../../lib/console/users/user_page.ts";
import { getUserByEmail } from "../../../../lib/store/users/mod.ts";

/** Creates an invitation link; the next page shows it once. */
export const handler = defineForm<InviteData>({
  load: ({ state }) => ({
    ...inviteChoices(state),
    values: emptyInvite,
    faults: {},
    startsEmpty: false,
  }),

  async submit(ctx, form, { load, again }) {
    const { state } = ctx;
    const values = readInviteForm(form);
    const { draft, faults } = invitationIn(values, await load());
    if (Object.keys(faults).length > 0) return await again({ values, faults });
    const email = readEmail(draft.email);
    const isNew = email !== undefined && !await getUserByEmail(state.services.store, email);
    if (isNew && startsEmpty(draft) && form.get("empty") !== "yes") {
      return await again({ values, startsEmpty: true });
    }
    const result = await invite(ctx, draft);
    if (result.type !== "issued") {
      const fault = result.type === "invalid" ? result.fault : "email";
      return await again({ values, faults: { email: fault } });
    }
    const link = `${publicOrigin(ctx)}/invitation/${result.token}`;
    const { email: to, expiresAtMs } = result.invitation;
    const locale = state.settings.language === "browser" ? state.locale : undefined;
    const mailed = await mailLink(ctx, { type: "invitation", url: link, to, expiresAtMs, locale });
    const issued: IssuedInvitation = { email: to, link, mailed };
    const once = await keepShownOnce(JSON.stringify(issued), state);
    return seeOther(`/console/admin/users/invited?once=${once}`);
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { users: texts } = view.catalog;
  return (
    <ConsolePage view={view} title={texts.inviteTitle} place="users">
      <Panel id="invite" title={texts.inviteTitle} class="form-panel">
        <form class="body fields" method="post" noValidate>
          <p class="soft">{texts.inviteText}</p>
          {state.settings.signUp === "closed" && <p class="soft">{texts.inviteClosed}</p>}
          {state.services.sso.providers.length > 0 && (
            <p class="soft">{texts.inviteAdministrator}</p>
          )}
          <InviteForm view={view} data={data} />
        </form>
      </Panel>
    </ConsolePage>
  );
});
