import { localPath, seeOther } from "../../../../lib/console/page/address.ts";
import { define } from "../../../../lib/console/session/state.ts";
import { redirectToProvider } from "../../../../lib/console/sign_in/sso.ts";

/** Starts a sign-in at a provider. */
export const handler = define.handlers({
  async GET(ctx) {
    const next = localPath(ctx.url.searchParams.get("next"), "/console");
    if (ctx.state.account) return seeOther(next);
    const purpose = { type: "sign-in" } as const;
    return await redirectToProvider(ctx, { providerId: ctx.params.provider, purpose, next });
  },
});
