import type { ModelRow } from "../../lib/admin/models/model_rows.ts";
import type { PricedModel } from "../../lib/console/models/model_page.ts";
import type { Estimate } from "../../lib/console/models/model_prices.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import { Fold } from "../Panel.tsx";
import { SelectField, TextField } from "../controls.tsx";
import { Fact, Facts } from "../values.tsx";

const fields = [
  "input",
  "cached",
  "output",
  "calls",
] as const satisfies readonly (keyof Estimate)[];

/** The cost of calls of a given size. The sizes are part of the address. */
export function Calculator(
  { view, row: { id: model, groups }, group, priced: { estimate, callNanoUsd } }: {
    view: AccountView;
    row: ModelRow;
    group: Group;
    priced: PricedModel;
  },
) {
  const total = callNanoUsd * BigInt(estimate.calls);
  const isOpen = new URL(view.path, "http://console").searchParams.has("calls");
  const { catalog: { prices, keyForm, modelPage }, formats } = view;
  return (
    <Fold
      id="calculator"
      title={modelPage.calculator}
      value={`${prices.allCalls(formats.count(estimate.calls))} ${formats.money(total)}`}
      open={isOpen}
    >
      <form class="body fields" action="/console/pricing/model#calculator">
        <input type="hidden" name="name" value={model} />
        {groups.length > 1 && (
          <SelectField
            name="group"
            label={keyForm.group}
            value={group.id}
            options={groups.map((id) => [id, id])}
          />
        )}
        <div class="pair">
          {fields.map((name) => (
            <TextField
              key={name}
              name={name}
              label={prices.fields[name]}
              value={String(estimate[name])}
              inputMode="numeric"
            />
          ))}
        </div>
        <button class="button" type="submit">{prices.calculate}</button>
        <Facts class="numbers">
          <Fact name={prices.oneCall}>{formats.exactMoney(callNanoUsd)}</Fact>
          <Fact name={prices.allCalls(formats.count(estimate.calls))}>
            <strong>{formats.money(total)}</strong>
          </Fact>
        </Facts>
      </form>
    </Fold>
  );
}
