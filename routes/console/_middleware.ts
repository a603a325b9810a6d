import { HttpError } from "fresh";
import { may } from "../../lib/accounts/mod.ts";
import { unpricedWarning } from "../../lib/console/models/unpriced.ts";
import { seeOther } from "../../lib/console/page/address.ts";
import { tryLoad } from "../../lib/console/page/reading.ts";
import { refusesSpeculation, speculationPath } from "../../lib/console/page/speculation.ts";
import { permitted } from "../../lib/console/session/access.ts";
import { define, defineForAccount } from "../../lib/console/session/state.ts";
import { stepUp } from "../../lib/console/sign_in/step_up.ts";
import { hasSeveralUsers } from "../../lib/store/users/mod.ts";

/** Redirects anonymous users to the sign-in, which returns them to the page they requested. */
const signedIn = define.middleware(async (ctx) => {
  if (ctx.state.account) {
    const { services: { store }, account: { user } } = ctx.state;
    Object.assign(ctx.state, {
      unpricedWarning: () => unpricedWarning(ctx.state),
      hasOthers: may(user, "calls:read") &&
        (await tryLoad(hasSeveralUsers(store)) ?? false),
    });
    return await ctx.next();
  }
  const { req, url } = ctx;
  if (req.headers.get("accept") === "application/json") {
    return Response.json({ status: 401 }, { status: 401 });
  }
  if (url.pathname === "/console/pricing" && ctx.state.settings.publicPricing) {
    return seeOther(`/pricing${url.search}`);
  }
  const reading = req.method === "GET" || req.method === "HEAD";
  const next = encodeURIComponent(reading ? url.pathname + url.search : "/console");
  return seeOther(`/login?next=${next}`);
});

/** Limits each user's rate of changes, so that nobody can fill the store with forms. */
const bounded = defineForAccount.middleware(async (ctx) => {
  const { req, state: { services, account, nowMs } } = ctx;
  const reading = req.method === "GET" || req.method === "HEAD";
  const { id } = account.viewer ?? account.user;
  if (!reading && !services.changes.take(id, nowMs)) throw new HttpError(429);
  return await ctx.next();
});

/** Names the links that browsers may load ahead of a click, and refuses the requests for others. */
const speculative = define.middleware(async (ctx) => {
  if (refusesSpeculation(ctx.req, ctx.url)) return new Response(null, { status: 503 });
  const response = await ctx.next();
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (isPage) response.headers.set("speculation-rules", `"${speculationPath}"`);
  return response;
});

export default [
  speculative,
  signedIn,
  defineForAccount.middleware(permitted),
  bounded,
  defineForAccount.middleware(stepUp),
];
