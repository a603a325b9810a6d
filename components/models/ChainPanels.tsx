import type { FormFaults } from "../../lib/admin/fault_text.ts";
import { memberLine, membersText } from "../../lib/admin/models/chain_form.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ChainMember, Model } from "../../lib/store/catalog/mod.ts";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";
import { bindFields, FormAlert, TextArea, TextField } from "../controls.tsx";
import { A, ListTable, Status, untranslated } from "../list.ts";

/** The values of the form of a virtual model. */
interface ChainValues {
  readonly name: string;
  readonly members: string;
}

/** The page with the form of one virtual model. */
function chainPath(name: string): string {
  return `/console/pricing/virtual?${new URLSearchParams({ name })}#chain`;
}

/** All virtual models, each with its members in order. */
export function ChainList(
  { view, chains }: { view: AccountView; chains: readonly Model[] },
) {
  const { chains: texts } = view.catalog;
  return (
    <Panel id="chains" title={texts.title}>
      <p class="body soft">{texts.text}</p>
      {chains.length === 0 ? <Empty icon="tags" title={texts.none} /> : (
        <ListTable
          caption={texts.title}
          rows={chains}
          keyOf={({ id }) => id}
          columns={[
            {
              head: texts.name,
              type: "name",
              at: "name",
              cell: ({ id }) => <A href={chainPath(id)} {...untranslated}>{id}</A>,
            },
            {
              head: texts.members,
              class: "wrap",
              at: "below",
              cell: ({ members = [] }) => <Members members={members} />,
            },
            {
              head: texts.check,
              unseen: true,
              cell: ({ id, origin }) => (
                <>
                  {origin === "config" && <Status tone="off">{texts.declared}</Status>}
                  <A class="link" href={checkPath(id)}>{texts.check}</A>
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function checkPath(model: string): string {
  return `/console/admin/upstreams?${new URLSearchParams({ model })}#which`;
}

/** The members of a virtual model with their conditions, in order. */
function Members({ members }: { members: readonly ChainMember[] }) {
  return members.map((member) => (
    <div key={member.model}>
      <code {...untranslated}>{memberLine(member)}</code>
    </div>
  ));
}

/** The form that sets or deletes a virtual model; without a button to delete one that is new. */
export function ChainForm({ view, values, faults, isKnown }: {
  view: AccountView;
  values: ChainValues;
  faults: FormFaults<keyof ChainValues, "id" | "members">;
  isKnown: boolean;
}) {
  const { chains: texts, faults: { chain: faultTexts } } = view.catalog;
  const field = bindFields({ values, faults, texts, faultTexts });
  return (
    <Panel id="chain" title={texts.form}>
      <form class="body fields" method="post" noValidate>
        {Object.keys(faults).length > 0 && <FormAlert>{texts.problem}</FormAlert>}
        <TextField {...field("name")} spellcheck={false} required />
        <TextArea {...field("members")} rows={5} spellcheck={false} />
        <div class="actions start">
          <button class="button primary" type="submit">{texts.save}</button>
          {isKnown && (
            <button class="button" type="submit" name="intent" value="delete">
              {texts.remove}
            </button>
          )}
        </div>
      </form>
    </Panel>
  );
}

/** The values of the form for a model as it is. */
export function chainValues(name: string, model: Model | undefined): ChainValues {
  return { name, members: model?.members ? membersText(model.members) : "" };
}
