import type { ComponentChildren } from "preact";
import type { AccountView } from "../lib/console/page/view.ts";
import { SheetHead, SheetOpener } from "./Sheet.tsx";

interface FilterSheetProps {
  readonly view: Pick<AccountView, "catalog">;
  /** Names the form, such as "Filter keys". */
  readonly label: string;
  /** How many filters the address has. */
  readonly used: number;
  /** Where the form leads; absent where that is the page itself. */
  readonly action?: string;
  /** How the form is laid out where there is room for it. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

const id = "filters";

/**
 * The filters of a page's list. Where there is room they are in sight; on small screens a button
 * that says how many are in use opens them as a sheet, without a script.
 */
export function FilterSheet(props: FilterSheetProps) {
  const { view: { catalog: { sheets: texts } }, label, used, action, children } = props;
  return (
    <div class="filtering">
      <SheetOpener sheet={id} icon="sliders-horizontal">
        {texts.filters}
        {used > 0 && (
          <>
            <span class="badge" aria-hidden="true">{used}</span>
            <span class="unseen">{texts.used(used)}</span>
          </>
        )}
      </SheetOpener>
      <form
        id={id}
        class={`sheet ${props.class ?? "filters"}`}
        action={action}
        role="search"
        aria-label={label}
        popover="auto"
      >
        <SheetHead sheet={id} title={texts.filters} close={texts.close} />
        {children}
      </form>
    </div>
  );
}
