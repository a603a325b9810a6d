import { Leaving } from "../../../../components/sign_in/providers.tsx";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { readForm } from "../../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { leaveForProvider } from "../../../../lib/console/sign_in/sso.ts";

const accountPath = "/console/account";

/** Goes to a provider to link its identity to the account. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther(accountPath),

  async POST(ctx) {
    const providerId = (await readForm(ctx.req)).get("provider") ?? "";
    const sessionDigest = ctx.state.account.session.digest;
    const purpose = { type: "link", sessionDigest } as const;
    const start = { providerId, purpose, next: accountPath, back: accountPath };
    return await leaveForProvider(ctx, start);
  },
});

export default defineForAccount.page<typeof handler>(({ data, state }) => (
  <Leaving view={state} data={data} />
));
