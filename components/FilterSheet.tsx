import type { ComponentChildren } from "preact";
import type { AccountView } from "../lib/console/page/view.ts";
import { SheetHead, SheetOpener } from "./Sheet.tsx";

interface FilterSheetProps {
  readonly view: Pick<AccountView, "catalog">;
  /** Names the form, such as "Filter keys". */
  readonly label: string;
  /** The number of filters in use. */
  readonly used: number;
  /** The address that the form submits to; absent for the page itself. */
  readonly action?: string;
  /** The class of the form, for its layout on wide screens. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

const id = "filters";

/**
 * The filters of a page's list. Wide screens always show them; on small screens a button with the
 * number of filters in use opens them as a sheet, without a script.
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
