import type { Estimate } from "../../lib/console/models/model_prices.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Panel } from "../Panel.tsx";
import { SelectField, TextField } from "../controls.tsx";

const fields = [
  "input",
  "cached",
  "output",
  "calls",
] as const satisfies readonly (keyof Estimate)[];

/** The cost of calls of a given size. The sizes are part of the address. */
export function Calculator(
  { view, model, groups, groupId, estimate, callNanoUsd }: {
    view: AccountView;
    model: string;
    groups: readonly string[];
    groupId: string;
    estimate: Estimate;
    /** The cost of one call. */
    callNanoUsd: bigint;
  },
) {
  const { catalog: { prices, keyForm }, formats } = view;
  return (
    <Panel id="calculator" title={prices.calculator}>
      <form class="body fields" action="/console/pricing/model" aria-labelledby="calculator">
        <input type="hidden" name="name" value={model} />
        {groups.length > 1 && (
          <SelectField
            name="group"
            label={keyForm.group}
            value={groupId}
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
            <strong>{formats.money(callNanoUsd * BigInt(estimate.calls))}</strong>
          </Fact>
        </Facts>
      </form>
    </Panel>
  );
}
