import { themes } from "../lib/admin/settings.ts";
import { logLookText } from "../lib/console/calls/log_look.ts";
import { isLocale } from "../lib/console/i18n/mod.ts";
import { localPath, seeOther } from "../lib/console/page/address.ts";
import { readForm } from "../lib/console/page/form.ts";
import { hideNotice, rememberPreference } from "../lib/console/page/preferences.ts";
import { define } from "../lib/console/session/state.ts";

/** Stores the reader's display preferences and redirects back. */
export const handler = define.handlers({
  async POST(ctx) {
    const form = await readForm(ctx.req);
    const headers = new Headers();
    const theme = themes.find((one) => one === form.get("theme"));
    const locale = form.get("locale") ?? undefined;
    if (theme) rememberPreference(headers, "theme", theme);
    if (isLocale(locale)) rememberPreference(headers, "locale", locale);
    const singleKeys = form.get("keys");
    if (singleKeys === "on" || singleKeys === "off") {
      rememberPreference(headers, "singleKeys", singleKeys);
    }
    const logLook = logLookText(form);
    if (logLook) rememberPreference(headers, "logLook", logLook);
    hideNotice(headers, form.get("hiddenNotice") ?? "");
    return seeOther(localPath(form.get("back"), "/console"), headers);
  },
});
