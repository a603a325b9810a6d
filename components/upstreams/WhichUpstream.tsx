import { memberLine } from "../../lib/admin/models/chain_form.ts";
import { type FormatName, formatNames } from "../../lib/canonical/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { routeWords } from "../../lib/console/upstreams/upstream_words.ts";
import type { RouteVerdict } from "../../lib/routing/mod.ts";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { ListTable } from "../Table.tsx";
import { SelectField, TextField } from "../controls.tsx";
import { untranslated } from "../untranslated.ts";

interface WhichUpstreamProps {
  readonly view: AccountView;
  readonly groups: readonly string[];
  readonly asked: { readonly model: string; readonly group: string; readonly format: FormatName };
  /** Absent before the first check. */
  readonly verdicts?: readonly RouteVerdict[];
}

/** Explains the routing of a model for a group: the upstreams in order, and the reasons. */
export function WhichUpstream({ view, groups, asked, verdicts }: WhichUpstreamProps) {
  const { upstreams: texts, units } = view.catalog;
  return (
    <Panel id="which" title={texts.which}>
      <form class="body which" action="/console/admin/upstreams#which">
        <TextField
          name="model"
          label={texts.whichModel}
          value={asked.model}
          spellcheck={false}
          required
        />
        <SelectField
          name="group"
          label={texts.whichGroup}
          value={asked.group}
          options={groups.map((id) => [id, id])}
        />
        <SelectField
          name="format"
          label={texts.whichFormat}
          value={asked.format}
          options={formatNames.map((name) => [name, units.formats[name]])}
        />
        <button class="button" type="submit">{texts.whichAsk}</button>
      </form>
      {verdicts && verdicts.length === 0 && <Empty icon="search" title={texts.whichNobody} />}
      {verdicts && verdicts.length > 0 && <Verdicts view={view} verdicts={verdicts} />}
    </Panel>
  );
}

function Verdicts(
  { view, verdicts }: { view: AccountView; verdicts: readonly RouteVerdict[] },
) {
  const { upstreams: texts } = view.catalog;
  return (
    <ListTable
      caption={texts.whichCaption}
      label={texts.whichLabel}
      rows={verdicts}
      keyOf={(one) => `${one.member?.model} ${one.upstreamId} ${one.credentialId}`}
      isOff={({ order }) => order === undefined}
      columns={[
        {
          head: texts.name,
          type: "name",
          cell: ({ upstreamId, credentialId }) => (
            <>
              <span {...untranslated}>{upstreamId}</span>
              {credentialId && <code {...untranslated}>{credentialId}</code>}
            </>
          ),
        },
        ...verdicts.some(({ member }) => member) ? [memberColumn(texts.member)] : [],
        {
          head: texts.rank,
          cell: (one) => <Status tone={toneOf(one)}>{one.order ?? texts.never}</Status>,
        },
        { head: texts.reason, class: "wrap quiet", cell: (one) => routeWords(one, view) },
      ]}
    />
  );
}

/** The members of a virtual model with their conditions. */
function memberColumn(head: string) {
  return {
    head,
    class: "wrap",
    cell: ({ member }: RouteVerdict) =>
      member && <code {...untranslated}>{memberLine(member)}</code>,
  };
}

function toneOf({ verdict, order }: RouteVerdict) {
  if (order === undefined) return "off";
  return verdict === "candidate" ? "ok" : "warn";
}
