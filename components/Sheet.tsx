import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";
import type { IconName } from "./icon_names.ts";

/**
 * The button that opens a sheet on small screens, without a script. Wide screens always show the
 * sheet.
 */
export function SheetOpener(
  { sheet, icon, children }: { sheet: string; icon: IconName; children: ComponentChildren },
) {
  return (
    <button class="button sheet-opener" type="button" popovertarget={sheet}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

/** The first line of a sheet on small screens: its name and the close button. */
export function SheetHead(
  { sheet, title, close }: { sheet: string; title: string; close: string },
) {
  return (
    <div class="sheet-head">
      <b>{title}</b>
      <button
        class="icon-button"
        type="button"
        popovertarget={sheet}
        popovertargetaction="hide"
        aria-label={close}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}
