import ThemeSwitch from "../../islands/ThemeSwitch.tsx";
import { catalogs, locales } from "../../lib/console/i18n/mod.ts";
import type { View } from "../../lib/console/page/view.ts";

/** Theme and language as forms that work without a script. `back` is the address to return to. */
export function ThemeForm({ view: { catalog, theme }, back }: { view: View; back: string }) {
  return <ThemeSwitch theme={theme} texts={catalog.theme} back={back} />;
}

export function LanguageForm({ view: { catalog, locale }, back }: { view: View; back: string }) {
  return (
    <form method="post" action="/preferences">
      <input type="hidden" name="back" value={back} />
      <div class="segments" role="group" aria-label={catalog.account.language}>
        {locales.map((one) => (
          <button
            type="submit"
            name="locale"
            value={one}
            lang={one}
            aria-pressed={one === locale ? "true" : "false"}
          >
            {catalogs[one].language}
          </button>
        ))}
      </div>
    </form>
  );
}
