import { A } from "../../../../components/A.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { FormAlert } from "../../../../components/controls.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { BatchFields } from "../../../../components/wallet/BatchPanel.tsx";
import { createCodes } from "../../../../lib/admin/funds.ts";
import { seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { keepShownOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import {
  batchDraft,
  type BatchField,
  type BatchValues,
  readBatchForm,
} from "../../../../lib/console/wallet/code_batches.ts";

interface NewBatchData {
  readonly values: BatchValues;
  readonly fault?: BatchField;
}

const initial: BatchValues = {
  name: "",
  amount: "",
  count: "1",
  uses: "1",
  perAccount: "",
  expiry: "",
};

/** Creates codes; the next page shows them once. */
export const handler = defineForm<NewBatchData>({
  load: () => ({ values: initial }),

  async submit(ctx, form, { again }) {
    const values = readBatchForm(form);
    const result = await createCodes(batchDraft(values), ctx);
    if (result.type !== "created") {
      return await again({ values, fault: result.type === "invalid" ? result.field : "name" });
    }
    const { batch, codes } = result;
    const once = await keepShownOnce(codes.join("\n"), ctx.state);
    return seeOther(`/console/admin/codes/${batch.id}/made?once=${once}`);
  },
});

export default accountPage<typeof handler>(({ data, state, view }) => {
  const { codes: texts } = view.catalog;
  const { values, fault } = data;
  const countMax = view.formats.count(state.services.config.limits.redemptionCodesMax);
  const faultTexts = {
    ...texts.fault,
    count: texts.fault.count(countMax),
    perAccount: texts.fault.perAccount(countMax),
  };
  return (
    <ConsolePage view={view} title={texts.title} place="codes">
      <Panel id="new-codes" title={texts.create} class="form-panel">
        <form class="body fields" method="post" action="/console/admin/codes/new" noValidate>
          {fault && <FormAlert>{texts.problem}</FormAlert>}
          <BatchFields
            {...{ texts, values, faultTexts }}
            faults={fault ? { [fault]: fault } : {}}
          />
          <div class="actions">
            <A class="button" href="/console/admin/codes">{texts.cancel}</A>
            <button class="button primary" type="submit">{texts.create}</button>
          </div>
        </form>
      </Panel>
    </ConsolePage>
  );
});
