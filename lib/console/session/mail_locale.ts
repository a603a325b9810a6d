import { updateUser } from "../../store/users/mod.ts";
import { isLocale, type Locale } from "../i18n/mod.ts";
import type { ConsoleState, SignedInAccount } from "./state.ts";

/** The language of a user's mails: the one in which the user last read the console, else the site's. */
export function mailLocale(
  locale: string | undefined,
  { language }: Pick<ConsoleState["settings"], "language">,
): Locale {
  if (isLocale(locale)) return locale;
  return isLocale(language) ? language : "en";
}

/** Keeps the language in which a user reads the console, for mails; writes only a change. */
export async function keepMailLocale(
  { user: { id, mail } }: Pick<SignedInAccount, "user">,
  { services: { store }, settings, locale }: ConsoleState,
): Promise<void> {
  if (mailLocale(mail?.locale, settings) === locale) return;
  await updateUser(store, id, (user) => ({ ...user, mail: { ...user.mail, locale } }));
}
