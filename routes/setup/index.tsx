import { page } from "fresh";
import { BarePage } from "../../components/BarePage.tsx";
import { define } from "../../lib/console/state.ts";

/** The address without its token: `?token=` leads to the right one, else there is nothing to set up by. */
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
  return (
    <BarePage view={state} title={texts.goneTitle} back="/setup">
      <h1>{texts.goneTitle}</h1>
      <p>{texts.goneText}</p>
      <a class="button primary" href="/login">{texts.goneAction}</a>
    </BarePage>
  );
});
