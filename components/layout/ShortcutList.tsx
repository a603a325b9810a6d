import Shortcuts from "../../islands/Shortcuts.tsx";
import { menuOf } from "../../lib/console/page/places.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

const listed = ["j", "k", "enter", "x", ".", "c", "e", "escape", "/", "t", "?"] as const satisfies (
  keyof Catalog["shortcuts"]["keys"]
)[];
const caps: Partial<Record<string, string>> = { enter: "Enter", escape: "Esc" };

/** The keyboard shortcuts, and the switch that turns them off (WCAG 2.1.4). */
export function ShortcutList({ view }: { view: AccountView }) {
  const { catalog: { shortcuts }, path, singleKeys } = view;
  return (
    <>
      {singleKeys && <Shortcuts />}
      <div
        class="menu shortcuts"
        id="shortcuts"
        popover="auto"
        role="dialog"
        aria-labelledby="shortcuts-title"
      >
        <h2 id="shortcuts-title">{shortcuts.title}</h2>
        {singleKeys ? <Keys view={view} /> : <p class="soft">{shortcuts.areOff}</p>}
        <form method="post" action="/preferences">
          <input type="hidden" name="back" value={path} />
          <button class="button small" name="keys" value={singleKeys ? "off" : "on"} type="submit">
            {singleKeys ? shortcuts.off : shortcuts.on}
          </button>
        </form>
      </div>
    </>
  );
}

/** With a script, keys that do nothing on the page are hidden by their `data-key`. */
function Keys({ view }: { view: AccountView }) {
  const { catalog: { menu, shortcuts } } = view;
  return (
    <div class="keys">
      <section>
        <h3>{shortcuts.page}</h3>
        <dl>
          {listed.map((key) => (
            <div key={key} data-key={key}>
              <dt>
                <kbd>{caps[key] ?? key}</kbd>
              </dt>
              <dd>{shortcuts.keys[key]}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>{shortcuts.pages}</h3>
        <dl>
          {letteredPlaces(view).map(({ name, letter }) => (
            <div key={name}>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{menu.places[name]}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function letteredPlaces({ user, unused }: AccountView) {
  const { use, admin } = menuOf(user.role);
  return [...use, ...admin].flatMap((one) =>
    "letter" in one && !unused.includes(one.name) ? [{ name: one.name, letter: one.letter }] : []
  );
}
