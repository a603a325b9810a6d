import type { ComponentChildren } from "preact";
import ThemeSwitch from "../../islands/ThemeSwitch.tsx";
import { catalogs, locales } from "../../lib/console/i18n/mod.ts";
import type { View } from "../../lib/console/page/view.ts";
import { Brand, Title } from "./Document.tsx";

/** A page without the console's frame: a single card, or as wide as its content. */
export function BarePage(
  { view, title, back, wide = false, children }: {
    view: View;
    title: string;
    /** The address to return to after a change of theme or language. */
    back: string;
    wide?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <>
      <Title site={view.settings.siteName}>{title}</Title>
      <div class="bare">
        <main id="main">
          <Brand href="/console" site={view.settings.siteName} />
          {wide ? <div class="wide">{children}</div> : (
            <section class="card">
              <div class="inside">{children}</div>
            </section>
          )}
        </main>
        <footer>
          <ThemeForm view={view} back={back} />
          <LanguageForm view={view} back={back} />
        </footer>
      </div>
    </>
  );
}

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

/** The contact for help; nothing if the settings name none. */
export function Contact({ view: { catalog, settings: { contact } } }: { view: View }) {
  return contact === "" ? null : <p class="soft">{catalog.settings.contact(contact)}</p>;
}
