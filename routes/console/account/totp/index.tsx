import { type Context, page } from "fresh";
import { Enrolment, type EnrolmentData } from "../../../../components/account/SecondStep.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import {
  beginSecondStep,
  confirmSecondStep,
  openEnrolment,
  totpAddress,
} from "../../../../lib/accounts/mod.ts";
import { showCodes } from "../../../../lib/console/account/account_page.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { type AccountState, defineForAccount } from "../../../../lib/console/session/state.ts";
import { ownEntry } from "../../../../lib/console/sign_in/own_entry.ts";
import { getTotp } from "../../../../lib/store/users/mod.ts";

const back = () => seeOther("/console/account");

/** Turns two-step sign-in on; the next page shows the recovery codes once. */
export const handler = defineForAccount.handlers({
  async GET({ state }) {
    if (await getTotp(state.services.store, state.account.user.id)) return back();
    return page<EnrolmentData>(await begun(state));
  },

  async POST(ctx) {
    const { services: { store }, account: { user }, catalog, nowMs } = ctx.state;
    const { wrong, expired } = catalog.security.secondStep;
    const form = await readForm(ctx.req);
    const sealed = form.get("sealed") ?? "";
    const secret = await openEnrolment(store, { userId: user.id, sealed }, nowMs);
    if (secret === undefined) return asked({ ...await begun(ctx.state), fault: expired });
    const result = await turnOn(ctx, secret, form.get("code") ?? "");
    if (result.type === "exists") return back();
    if (result.type === "on") return await showCodes(result.codes, ctx.state);
    const address = await addressOfSecret(secret, ctx.state);
    return asked({ secret, sealed, address, fault: wrong });
  },
});

function turnOn(ctx: Context<AccountState>, secret: string, code: string) {
  const { services: { store }, account: { user }, nowMs } = ctx.state;
  const changes = [{ field: "secondStep", before: "off", after: "on" }];
  const audit = ownEntry(ctx, user, { action: "changed", changes });
  return confirmSecondStep(store, { userId: user.id, secret, code, audit }, nowMs);
}

function asked(enrolment: EnrolmentData) {
  return page<EnrolmentData>(enrolment, { status: 422 });
}

async function begun(state: AccountState): Promise<EnrolmentData> {
  const { services: { store }, account: { user }, nowMs } = state;
  const { secret, sealed } = await beginSecondStep(store, user.id, nowMs);
  return { secret, sealed, address: await addressOfSecret(secret, state) };
}

function addressOfSecret(secret: string, { account, settings }: AccountState): Promise<string> {
  return totpAddress(secret, { email: account.user.email, siteName: settings.siteName });
}

export default accountPage<typeof handler>(({ data, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.security.title} place="account">
      <Enrolment view={view} data={data} />
    </ConsolePage>
  );
});
