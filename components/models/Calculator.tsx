import type { Estimate } from "../../lib/console/models/model_prices.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Fact, Facts } from "../Facts.tsx";
import { Field } from "../Field.tsx";
import { Panel } from "../Panel.tsx";

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
          <Field id="group" label={keyForm.group}>
            <select class="input" id="group" name="group">
              {groups.map((id) => <option key={id} selected={id === groupId}>{id}</option>)}
            </select>
          </Field>
        )}
        <div class="pair">
          {fields.map((name) => (
            <Field key={name} id={name} label={prices.fields[name]}>
              <input
                class="input"
                id={name}
                name={name}
                inputMode="numeric"
                autocomplete="off"
                value={String(estimate[name])}
              />
            </Field>
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
