import { page } from "fresh";
import { A } from "../../../../../components/A.tsx";
import { ShownAlready } from "../../../../../components/keys/SecretPanel.tsx";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { usdText } from "../../../../../lib/canonical/mod.ts";
import { showOnce } from "../../../../../lib/console/page/shown_once.ts";
import { type AccountView, accountView } from "../../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../../lib/console/session/state.ts";
import { batchAt } from "../../../../../lib/console/wallet/code_batches.ts";
import type { RedemptionBatch } from "../../../../../lib/store/money/mod.ts";

/** Shows the new codes in plain text once, to their creator. */
export const handler = defineForAccount.handlers({
  async GET({ params, url: { searchParams }, state }) {
    const batch = await batchAt(params.id, state);
    const codes = (await showOnce(searchParams.get("once"), state))?.split("\n");
    return page({ batch, codes }, { headers: { "cache-control": "no-store" } });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { batch, codes }, state, url }) => {
  const view = accountView(state, new URL("/console/admin/codes", url));
  const { codes: texts } = view.catalog;
  const path = `/console/admin/codes/${batch.id}`;
  return (
    <ConsolePage view={view} title={texts.title} place="codes">
      {codes ? <NewCodes texts={texts} batch={batch} codes={codes} /> : (
        <ShownAlready
          title={texts.shownTitle}
          text={texts.shownText}
          back={texts.toBatch}
          path={path}
        />
      )}
    </ConsolePage>
  );
});

function NewCodes(
  { texts, batch, codes }: {
    texts: AccountView["catalog"]["codes"];
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
          <A class="button" href={`/console/admin/codes/${batch.id}`}>{texts.stored}</A>
        </div>
      </div>
    </section>
  );
}
