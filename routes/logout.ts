import { seeOther } from "../lib/console/page/address.ts";
import { sessionCookie } from "../lib/console/session/cookies.ts";
import { define } from "../lib/console/session/state.ts";
import { deleteSession } from "../lib/store/users/mod.ts";

export const handler = define.handlers({
  async POST({ state: { services, account }, url }) {
    if (account) await deleteSession(services.store, account.session.digest);
    const headers = new Headers();
    sessionCookie.forget(headers, url);
    return seeOther("/login?signed-out", headers);
  },
});
