import { shownCode } from "../../lib/console/wallet/code_batches.ts";
import type { AccountView, RedemptionBatch, RedemptionCode } from "../../lib/console/page/view.ts";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** The codes of a batch; only their visible part is stored. */
export function CodeTable(
  { view, batch, codes, page }: {
    view: AccountView;
    batch: RedemptionBatch;
    codes: readonly RedemptionCode[];
    /** The page of the list to return to. */
    page: number;
  },
) {
  const { codes: texts } = view.catalog;
  return (
    <Table
      oneLine
      caption={texts.listCaption}
      label={texts.listLabel}
      head={
        <>
          <Column>{texts.code}</Column>
          <Column>{texts.status}</Column>
          <Column number>{texts.used}</Column>
          <Column>
            <span class="unseen">{texts.disable}</span>
          </Column>
        </>
      }
    >
      {codes.map((code) => (
        <CodeRow key={code.digest} view={view} batch={batch} code={code} page={page} />
      ))}
    </Table>
  );
}

function CodeRow(
  { view, batch, code, page }: {
    view: AccountView;
    batch: RedemptionBatch;
    code: RedemptionCode;
    page: number;
  },
) {
  const { catalog: { codes: texts }, formats } = view;
  const isUsedUp = code.used >= batch.usesMax;
  const verb = code.enabled ? texts.disable : texts.enable;
  return (
    <Row off={!code.enabled || isUsedUp}>
      <NameCell>
        <code {...untranslated}>{shownCode(code)}</code>
      </NameCell>
      <Cell label={texts.status}>
        <Status tone={code.enabled && !isUsedUp ? "ok" : "off"}>
          {!code.enabled ? texts.disabled : isUsedUp ? texts.usedUp : texts.enabled}
        </Status>
      </Cell>
      <Cell label={texts.used} class="number">
        {texts.usedOf(formats.count(code.used), formats.count(batch.usesMax))}
      </Cell>
      <Cell>
        <form method="post" action={`/console/admin/codes/${batch.id}/code`}>
          <input type="hidden" name="digest" value={code.digest} />
          <input type="hidden" name="page" value={page} />
          <button
            class="button small"
            type="submit"
            name="enabled"
            value={String(!code.enabled)}
            aria-label={texts.codeName(shownCode(code), verb)}
          >
            {verb}
          </button>
        </form>
      </Cell>
    </Row>
  );
}
