import { HttpError } from "fresh";
import { FormAlert } from "../../../../components/controls.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { MailServerPanel, RecentMailPanel } from "../../../../components/mail/MailPanels.tsx";
import Notice from "../../../../islands/Notice.tsx";
import { removeMail, saveMail } from "../../../../lib/admin/mail.ts";
import {
  mailForm,
  type MailPageData,
  mailPageData,
  mailTestFault,
  readMailForm,
} from "../../../../lib/console/mail/mail_page.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { seeOtherWith } from "../../../../lib/console/page/flash.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import type { AccountState } from "../../../../lib/console/session/state.ts";

const path = "/console/admin/settings/mail";

/** Sets up, tests and removes the mail server. */
export const handler = defineForm<MailPageData>({
  load: ({ state }) => mailPageData(state),
  showsFlash: () => true,

  async submit(ctx, form, { load, again }) {
    if (form.get("action") === "test") return await test(ctx.state);
    if ((await load()).isConfigured) throw new HttpError(409);
    if (form.get("action") === "remove") {
      await removeMail(ctx);
      return seeOther(`${path}?done=removed`);
    }
    const values = readMailForm(form);
    const read = mailForm(values);
    if (read.type === "invalid") return await again({ values, faults: read.faults });
    const saved = await saveMail(ctx, read.settings);
    if (saved.type === "saved") return seeOther(`${path}?done=saved`);
    return await again({ values, faults: { [saved.field]: saved.field } });
  },
});

/** Sends a test to the reader and shows the result on the page. */
async function test(state: AccountState): Promise<Response> {
  const { services: { alerts }, account: { user: { email } }, locale } = state;
  const result = await alerts?.testMail?.({ email, locale });
  if (result === undefined) throw new HttpError(404);
  const { fault, status, words } = result === "delivered" ? {} : result;
  return await seeOtherWith({ type: "mail-tested", fault, status, words }, path, state);
}

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { mail: texts } = view.catalog;
  const fault = mailTestFault(data.flash, state.catalog);
  const isTested = data.flash?.type === "mail-tested" && fault === undefined;
  return (
    <ConsolePage view={view} title={texts.title} place="settings" done={texts.done}>
      {isTested && <Notice text={texts.tested(view.user.email)} />}
      {fault && <FormAlert>{fault}</FormAlert>}
      <MailServerPanel
        view={view}
        data={data}
        hasPublicUrl={state.services.config.publicUrl !== undefined}
      />
      <RecentMailPanel view={view} recent={data.recent} />
    </ConsolePage>
  );
});
