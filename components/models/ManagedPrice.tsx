import type { ManagedModel } from "../../lib/console/models/model_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { DeletePrice } from "./DeletePrice.tsx";
import { PriceForm } from "./PriceForm.tsx";
import { PriceHistory } from "./PriceHistory.tsx";
import { PriceNow } from "./PriceNow.tsx";
import { Rerated } from "./Rerated.tsx";

/** The forms for a model's price: administrators set, preview, compare and delete it. */
export function ManagedPrice(
  { view, managed, isSetting }: {
    view: AccountView;
    managed: ManagedModel;
    /** True if the reader came to set the price. */
    isSetting: boolean;
  },
) {
  const { catalog: { modelList }, formats } = view;
  const { row, listed, schedule, entries, values, faults = {}, rerating } = managed;
  const isReadOnly = row.source === "declared";
  const now = row.price &&
    modelList.inAndOut(formats.usd(row.price.input), formats.usd(row.price.output));
  return (
    <>
      {rerating && <Rerated view={view} rerating={rerating} />}
      {!isReadOnly && (
        <PriceForm
          view={view}
          id={row.id}
          {...{ values, faults }}
          hint={now}
          isOpen={isSetting || rerating !== undefined}
          isFocused={isSetting}
          end={schedule.length > 0 && (
            <DeletePrice view={view} id={row.id} listed={listed?.price} />
          )}
        />
      )}
      <PriceNow view={view} row={row} listed={listed} />
      {entries.length > 0 && <PriceHistory view={view} entries={entries} />}
    </>
  );
}
