import { shownCode } from "../../lib/admin/funds.ts";
import { codeList } from "../../lib/console/wallet/code_batches.ts";
import type { RedemptionBatch, RedemptionCode } from "../../lib/store/money/mod.ts";
import { Form } from "../Form.tsx";
import { A, type ColumnsOf, ListPanel, type PanelProps, Status, untranslated } from "../list.ts";

interface CodePanelProps extends PanelProps<typeof codeList> {
  readonly batch: RedemptionBatch;
}

/** The codes of a batch; their secrets are shown once, when the batch is created. */
export function CodePanel(props: CodePanelProps) {
  const { view: { catalog: { codes: texts } }, batch, query } = props;
  return (
    <ListPanel
      {...props}
      id="codes"
      list={codeList}
      texts={{ title: texts.listCaption, caption: texts.listCaption, empty: texts.empty }}
      icon="ticket"
      oneLine
      columns={columns(props)}
      keyOf={({ digest }) => digest}
      isOff={(code) => !code.enabled || code.used >= batch.usesMax}
      end={<A class="link" href={`${query.path}/export`} download>{texts.exportCsv}</A>}
    />
  );
}

function columns(props: CodePanelProps): ColumnsOf<typeof codeList> {
  const { view: { catalog: { codes: texts }, formats }, batch: { usesMax } } = props;
  return [
    {
      head: texts.code,
      at: "name",
      type: "name",
      cell: (code) => <code {...untranslated}>{shownCode(code)}</code>,
    },
    {
      head: texts.status,
      at: "below",
      cell: ({ enabled, used }) => (
        <Status tone={enabled && used < usesMax ? "ok" : "off"}>
          {!enabled ? texts.disabled : used >= usesMax ? texts.usedUp : texts.enabled}
        </Status>
      ),
    },
    {
      head: texts.used,
      at: "first",
      type: "number",
      cell: ({ used }) => texts.usedOf(formats.count(used), formats.count(usesMax)),
    },
    {
      head: texts.disable,
      at: "second",
      unseen: true,
      cell: (code) => <Switch {...props} code={code} />,
    },
  ];
}

function Switch(
  { view: { catalog: { codes: texts } }, query, code }: CodePanelProps & { code: RedemptionCode },
) {
  const verb = code.enabled ? texts.disable : texts.enable;
  return (
    <Form action={`${query.path}/code`}>
      <input type="hidden" name="digest" value={code.digest} />
      <input type="hidden" name="page" value={query.page} />
      <button
        class="button small"
        type="submit"
        name="enabled"
        value={String(!code.enabled)}
        aria-label={texts.codeName(shownCode(code), verb)}
      >
        {verb}
      </button>
    </Form>
  );
}
