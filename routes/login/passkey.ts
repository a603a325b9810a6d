import { signInByPasskey } from "../../lib/accounts/mod.ts";
import { localPath, seeOther } from "../../lib/console/page/address.ts";
import { readForm } from "../../lib/console/page/form.ts";
import { define } from "../../lib/console/session/state.ts";
import { passkeySite } from "../../lib/console/sign_in/passkeys.ts";
import { signedIn, signInFrom } from "../../lib/console/sign_in/sign_in_answer.ts";

/** Signs in the owner of a passkey, without an email address. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state: { services, nowMs }, url } = ctx;
    const form = await readForm(ctx.req);
    const next = localPath(form.get("next"), "/console");
    const site = passkeySite(ctx);
    const signed = { answer: form.get("answer") ?? "", ...signInFrom(ctx) };
    const result = site && await signInByPasskey({ ...services, nowMs }, { ...signed, site });
    if (result?.type === "signed-in") return signedIn(url, next, result);
    const fields = new URLSearchParams({ next });
    return seeOther(`/login?passkey-refused&${fields}`);
  },
});
