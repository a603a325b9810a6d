import type { ComponentChildren } from "preact";
import type { View } from "../../lib/console/page/view.ts";
import { Brand } from "./Brand.tsx";
import { LanguageForm, ThemeForm } from "./Preferences.tsx";
import { Title } from "./Title.tsx";

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
