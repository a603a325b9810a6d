import { A } from "../../../../components/A.tsx";
import { FormAlert } from "../../../../components/FormAlert.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { BatchFields } from "../../../../components/wallet/BatchFields.tsx";
import { usdText } from "../../../../lib/canonical/mod.ts";
import {
  type AuditContext,
  auditEntry,
  type AuditFacts,
} from "../../../../lib/console/audit/audit.ts";
import { defineForm } from "../../../../lib/console/page/define_form.ts";
import { seeOther } from "../../../../lib/console/page/see_other.ts";
import { keepShownOnce } from "../../../../lib/console/page/shown_once.ts";
import { accountView } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import {
  batchDraft,
  type BatchField,
  type BatchValues,
  readBatchForm,
} from "../../../../lib/console/wallet/code_batches.ts";
import { type BatchResult, createBatch } from "../../../../lib/funds/mod.ts";
import type { RedemptionBatch } from "../../../../lib/store/money/mod.ts";

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
    const result = await create(values, ctx);
    if (result.type !== "created") {
      return await again({ values, fault: result.type === "invalid" ? result.field : "name" });
    }
    const { batch, codes } = result;
    const once = await keepShownOnce(codes.join("\n"), ctx.state);
    return seeOther(`/console/admin/codes/${batch.id}/made?once=${once}`);
  },
});

function create(values: BatchValues, ctx: AuditContext): Promise<BatchResult> {
  const { services: { store, config }, account, nowMs } = ctx.state;
  const codesMax = config.limits.redemptionCodesMax;
  const audit = (batch: RedemptionBatch) => auditEntry(ctx, madeBatch(batch));
  return createBatch(store, account.user, batchDraft(values), { nowMs, codesMax, audit });
}

function madeBatch(batch: RedemptionBatch) {
  const { id, name, amountNanoUsd, count, usesMax, perAccountMax, expiresAtMs } = batch;
  const expires = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString();
  return {
    kind: "batch",
    action: "created",
    targetId: id,
    targetName: name,
    changes: [
      { field: "amount", after: usdText(amountNanoUsd) },
      { field: "count", after: String(count) },
      { field: "uses", after: String(usesMax) },
      ...(perAccountMax === undefined ? [] : [{
        field: "perAccount",
        after: String(perAccountMax),
      }]),
      ...(expires ? [{ field: "expires", after: expires }] : []),
    ],
  } as const satisfies AuditFacts;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  const { values, fault } = data;
  const countMax = view.formats.count(state.services.config.limits.redemptionCodesMax);
  const words = {
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
            texts={texts}
            values={values}
            faults={fault ? { [fault]: words[fault] } : {}}
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
