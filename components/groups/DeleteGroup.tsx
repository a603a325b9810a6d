import { type GroupUse, isHeld } from "../../lib/admin/groups.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { FormAlert, SelectField } from "../controls.tsx";
import { Question } from "../layout/QuestionPage.tsx";
import { untranslated } from "../untranslated.ts";

interface DeleteGroupProps {
  readonly view: AccountView;
  readonly id: string;
  readonly use: GroupUse;
  /** The groups that its keys can move to. */
  readonly others: readonly string[];
  /** No group was chosen for the keys. */
  readonly isUnchosen?: true;
}

const shownMax = 20;

/**
 * Confirms the deletion of a group: lists its users, and asks for the group that takes over its
 * keys.
 */
export function DeleteGroup(props: DeleteGroupProps) {
  const { view: { catalog: { groups: texts } }, id, use, others, isUnchosen } = props;
  const held = isHeld(use);
  return (
    <Question
      class="inside fields"
      noValidate
      id="delete"
      title={held ? texts.heldTitle(id) : texts.deleteTitle(id)}
      back={`/console/admin/groups/${id}`}
      cancel={texts.cancel}
      confirm={!held && texts.deleteConfirm(id)}
    >
      {isUnchosen && <FormAlert>{texts.deleteProblem}</FormAlert>}
      {use.upstreams.length > 0 && <Upstreams {...props} />}
      {use.keys.length > 0 && <Keys {...props} />}
      {!held && use.keys.length > 0 && (
        <SelectField
          name="group"
          label={texts.moveTo}
          fault={isUnchosen && texts.moveFault}
          options={[["", texts.choose], ...others.map((one) => [one, one] as const)]}
        />
      )}
      {!held && use.keys.length === 0 && <p>{texts.deleteUnused}</p>}
    </Question>
  );
}

function Upstreams({ view: { catalog: { groups: texts } }, use: { upstreams } }: DeleteGroupProps) {
  return (
    <div>
      <p>{texts.heldByUpstreams}</p>
      <ul class="named" {...untranslated}>
        {upstreams.map(({ id }) => (
          <li key={id}>
            <A href={`/console/admin/upstreams/${id}`}>{id}</A>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Keys({ view: { catalog: { groups: texts } }, use: { keys } }: DeleteGroupProps) {
  return (
    <div>
      <p>{texts.usedByKeys(keys.length)}</p>
      <ul class="named" {...untranslated}>
        {keys.slice(0, shownMax).map(({ key, owner }) => (
          <li key={key.id}>
            {`${key.name} · ${owner}`}
            {key.origin === "config" && <span class="tag">{texts.declared}</span>}
          </li>
        ))}
      </ul>
      {keys.length > shownMax && <p class="soft">{texts.moreKeys(keys.length - shownMax)}</p>}
    </div>
  );
}
