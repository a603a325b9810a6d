import Shortcuts from "../../islands/Shortcuts.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";

const listed = [
  ["j", "j"],
  ["k", "k"],
  ["Enter", "enter"],
  ["Esc", "escape"],
  ["/", "slash"],
  ["?", "question"],
] as const;

/** The keyboard shortcuts, and the switch that turns them off (WCAG 2.1.4). */
export function ShortcutList(
  { view: { catalog: { logPage: { shortcuts } }, path, singleKeys } }: { view: AccountView },
) {
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
        {singleKeys
          ? (
            <dl>
              {listed.map(([key, name]) => (
                <div>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{shortcuts[name]}</dd>
                </div>
              ))}
            </dl>
          )
          : <p class="soft">{shortcuts.areOff}</p>}
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
