import { A } from "../../../../components/A.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { FormAlert, SelectField } from "../../../../components/controls.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { UnpricedWarning } from "../../../../components/models/UnpricedWarning.tsx";
import { EmailField } from "../../../../components/sign_in/fields.tsx";
import { mailLink } from "../../../../lib/admin/mail.ts";
import { invite, roles, spendings } from "../../../../lib/admin/users.ts";
import { publicOrigin, seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { keepShownOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import type { IssuedInvitation } from "../../../../lib/console/users/user_page.ts";

interface InviteData {
  readonly values: Readonly<Record<"email" | "role" | "spending", string>>;
  readonly fault?: "email" | "taken";
}

/** Creates an invitation link; the next page shows it once. */
export const handler = defineForm<InviteData>({
  load: () => ({ values: { email: "", role: "member", spending: "prepaid" } }),

  async submit(ctx, form, { again }) {
    const { state } = ctx;
    const email = (form.get("email") ?? "").slice(0, 300);
    const role = form.get("role") === "administrator" ? "administrator" : "member";
    const spending = form.get("spending") === "unlimited" ? "unlimited" : "prepaid";
    const values = { email, role, spending } as const;
    const result = await invite(ctx, values);
    if (result.type !== "issued") {
      return await again({ values, fault: result.type === "invalid" ? result.fault : "email" });
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
  const { users: texts, account } = view.catalog;
  const { values, fault } = data;
  return (
    <ConsolePage view={view} title={texts.inviteTitle} place="users">
      <Panel id="invite" title={texts.inviteTitle} class="form-panel">
        <form class="body fields" method="post" noValidate>
          {fault && <FormAlert>{texts.problem}</FormAlert>}
          <p class="soft">{texts.inviteText}</p>
          {state.settings.signUp === "closed" && <p class="soft">{texts.inviteClosed}</p>}
          {state.services.sso.providers.length > 0 && (
            <p class="soft">{texts.inviteAdministrator}</p>
          )}
          <EmailField
            label={texts.email}
            autocomplete="off"
            value={values.email}
            fault={fault && view.catalog.faults.user[fault]}
          />
          <div class="pair">
            <SelectField
              name="role"
              label={texts.role}
              value={values.role}
              options={roles.toReversed().map((one) => [one, account[one]])}
            />
            <SelectField
              name="spending"
              label={texts.spending}
              value={values.spending}
              options={spendings.map((one) => [one, texts[one]])}
            />
          </div>
          <UnpricedWarning view={view} />
          <div class="actions">
            <A class="button" href="/console/admin/users">{texts.cancel}</A>
            <button class="button primary" type="submit">{texts.inviteSubmit}</button>
          </div>
        </form>
      </Panel>
    </ConsolePage>
  );
});
