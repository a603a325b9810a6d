import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamUses } from "../../lib/console/upstreams/upstream_uses.ts";
import { TextField } from "../controls.tsx";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";

interface DeleteUpstreamProps {
  readonly view: AccountView;
  readonly id: string;
  readonly uses: UpstreamUses;
  /** Set if the name must be typed to confirm; `isWrong` if another one was typed. */
  readonly isTyped: boolean;
  readonly isWrong: boolean;
}

/**
 * Confirms the deletion of an upstream: lists its users, and the models that no other upstream
 * serves.
 */
export function DeleteUpstream({ view, id, uses, isTyped, isWrong }: DeleteUpstreamProps) {
  const { catalog: { upstreams: texts, upstreamAdmin }, formats } = view;
  const { groups, models, only, calls } = uses;
  return (
    <Question
      noValidate
      id="delete"
      title={texts.removeTitle(id)}
      back={`/console/admin/upstreams/${id}`}
      cancel={texts.cancel}
      confirm={texts.removeConfirm(id)}
    >
      <p>
        {upstreamAdmin.usedBy(groups.length, models)}
        {calls !== undefined && ` ${upstreamAdmin.usedCalls(formats.count(calls))}`}
        {` ${upstreamAdmin.usedFinal}`}
      </p>
      {only.length === 0 ? models > 0 && <p>{upstreamAdmin.usedElsewhere}</p> : (
        <>
          <p>{upstreamAdmin.usedOnly}</p>
          <p class="breakable soft" {...untranslated}>{shortened(only)}</p>
        </>
      )}
      {isTyped && (
        <TextField
          name="name"
          label={upstreamAdmin.typeName(id)}
          fault={isWrong ? upstreamAdmin.typedWrong : undefined}
          required
          spellcheck={false}
        />
      )}
    </Question>
  );
}

const namesShown = 20;

function shortened(names: readonly string[]): string {
  const rest = names.length - namesShown;
  return names.slice(0, namesShown).join(", ") + (rest > 0 ? ` +${rest}` : "");
}
