import { page } from "fresh";
import { NothingHere } from "../../components/layout/FailurePage.tsx";
import { define } from "../../lib/console/session/state.ts";

/** Set-up without a token in the path: redirects if `?token=` has one, else answers 410. */
export const handler = define.handlers({
  GET(ctx) {
    const token = ctx.url.searchParams.get("token");
    return token && /^[\w-]{1,200}$/.test(token)
      ? ctx.redirect(`/setup/${token}`, 303)
      : page({}, { status: 410 });
  },
});

export default define.page<typeof handler>(({ state }) => {
  const { setup: texts } = state.catalog;
  return <NothingHere view={state} title={texts.goneTitle} text={texts.goneText} back="/setup" />;
});
