import { Leaving } from "../../../components/sign_in/providers.tsx";
import { localPath, seeOther } from "../../../lib/console/page/address.ts";
import { readForm } from "../../../lib/console/page/form.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { confirmPath } from "../../../lib/console/sign_in/proof_form.ts";
import { leaveForProvider } from "../../../lib/console/sign_in/sso.ts";

/** Goes to a provider to confirm the user's identity before a dangerous action. */
export const handler = defineForAccount.handlers({
  GET: () => seeOther("/console"),

  async POST(ctx) {
    const form = await readForm(ctx.req);
    const providerId = form.get("provider") ?? "";
    const held = form.get("held")?.slice(0, 100);
    const fields = { next: localPath(form.get("next"), "/console"), held };
    const purpose = {
      type: "prove",
      sessionDigest: ctx.state.account.session.digest,
    } as const;
    const start = { providerId, purpose, next: confirmPath({ ...fields, proved: "" }) };
    return await leaveForProvider(ctx, { ...start, back: confirmPath(fields) });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state }) => (
  <Leaving view={state} data={data} />
));
