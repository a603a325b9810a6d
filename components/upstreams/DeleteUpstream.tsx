import type { UpstreamUses } from "../../lib/console/upstreams/upstream_uses.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { TextField } from "../Field.tsx";
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
    <section class="card" aria-labelledby="delete">
      <form class="inside" method="post" noValidate>
        <h2 id="delete">{texts.removeTitle(id)}</h2>
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
        <div class="actions">
          <A class="button" href={`/console/admin/upstreams/${id}`}>{texts.cancel}</A>
          <button class="button danger" type="submit">{texts.removeConfirm(id)}</button>
        </div>
      </form>
    </section>
  );
}

const namesShown = 20;

function shortened(names: readonly string[]): string {
  const rest = names.length - namesShown;
  return names.slice(0, namesShown).join(", ") + (rest > 0 ? ` +${rest}` : "");
}
