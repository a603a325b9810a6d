import { page } from "fresh";
import { BatchFields } from "../../../../components/BatchFields.tsx";
import { ConsolePage } from "../../../../components/ConsolePage.tsx";
import { FormAlert } from "../../../../components/Field.tsx";
import { usdText } from "../../../../lib/canonical/mod.ts";
import { type AuditContext, auditEntry, type AuditFacts } from "../../../../lib/console/audit.ts";
import {
  batchDraft,
  type BatchField,
  type BatchValues,
  readBatchForm,
} from "../../../../lib/console/code_batches.ts";
import { readForm } from "../../../../lib/console/form_body.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";
import { accountView } from "../../../../lib/console/view.ts";
import { type BatchResult, createBatch } from "../../../../lib/funds/mod.ts";
import type { RedemptionBatch } from "../../../../lib/store/mod.ts";

type NewBatchData =
  | { readonly type: "form"; readonly values: BatchValues; readonly fault?: BatchField }
  | {
    readonly type: "created";
    readonly batch: RedemptionBatch;
    readonly codes: readonly string[];
  };

const initial: BatchValues = { name: "", amount: "", count: "1", uses: "1", expiry: "" };

/** Makes codes; the answer to the form is the only page that shows them. */
export const handler = defineForAccount.handlers({
  GET: () => page<NewBatchData>({ type: "form", values: initial }),

  async POST(ctx) {
    const values = readBatchForm(await readForm(ctx.req));
    const result = await create(values, ctx);
    if (result.type !== "created") {
      const fault = result.type === "invalid" ? result.field : "name";
      return page<NewBatchData>({ type: "form", values, fault }, { status: 422 });
    }
    const { batch, codes } = result;
    return page<NewBatchData>({ type: "created", batch, codes }, { status: 201 });
  },
});

function create(values: BatchValues, ctx: AuditContext): Promise<BatchResult> {
  const { services: { store, config }, account, nowMs } = ctx.state;
  const codesMax = config.limits.redemptionCodesMax;
  const audit = (batch: RedemptionBatch) => auditEntry(ctx, madeBatch(batch));
  return createBatch(store, account.user, batchDraft(values), { nowMs, codesMax, audit });
}

function madeBatch({ id, name, amountNanoUsd, count, usesMax, expiresAtMs }: RedemptionBatch) {
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
      ...(expires ? [{ field: "expires", after: expires }] : []),
    ],
  } as const satisfies AuditFacts;
}

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  if (data.type === "created") {
    return (
      <ConsolePage view={view} title={texts.title} place="codes">
        <NewCodes texts={texts} batch={data.batch} codes={data.codes} />
      </ConsolePage>
    );
  }
  const { values, fault } = data;
  const countMax = view.formats.count(state.services.config.limits.redemptionCodesMax);
  const words = { ...texts.fault, count: texts.fault.count(countMax) };
  return (
    <ConsolePage view={view} title={texts.title} place="codes">
      <section class="panel form-panel" aria-labelledby="new-codes">
        <header>
          <h2 id="new-codes">{texts.create}</h2>
        </header>
        <form class="body fields" method="post" action="/console/admin/codes/new" noValidate>
          {fault && <FormAlert>{texts.problem}</FormAlert>}
          <BatchFields
            texts={texts}
            values={values}
            faults={fault ? { [fault]: words[fault] } : {}}
          />
          <div class="actions">
            <a class="button" href="/console/admin/codes" aria-current="false">{texts.cancel}</a>
            <button class="button primary" type="submit">{texts.create}</button>
          </div>
        </form>
      </section>
    </ConsolePage>
  );
});

function NewCodes(
  { texts, batch, codes }: {
    texts: ReturnType<typeof accountView>["catalog"]["codes"];
    batch: RedemptionBatch;
    codes: readonly string[];
  },
) {
  const amount = usdText(batch.amountNanoUsd).slice(1);
  const lines = ["code,amount_usd", ...codes.map((code) => `${code},${amount}`), ""].join("\r\n");
  return (
    <section class="card" aria-labelledby="created">
      <div class="inside">
        <h2 id="created">{texts.ready(codes.length, batch.name)}</h2>
        <p>{texts.readyText}</p>
        <textarea
          class="input listed-codes"
          aria-label={texts.codes}
          rows={Math.min(12, codes.length + 1)}
          readOnly
          spellcheck={false}
        >
          {codes.join("\n")}
        </textarea>
        <div class="actions start">
          <a
            class="button primary"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(lines)}`}
            download={`${batch.id}.csv`}
          >
            {texts.download}
          </a>
          <a class="button" href={`/console/admin/codes/${batch.id}`} aria-current="false">
            {texts.stored}
          </a>
        </div>
      </div>
    </section>
  );
}
