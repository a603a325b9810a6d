import { HttpError } from "fresh";
import type { ComponentProps } from "preact";
import { ConsolePage } from "../../../components/layout/ConsolePage.tsx";
import { ChainForm, ChainList, chainValues } from "../../../components/models/ChainPanels.tsx";
import { setMembers } from "../../../lib/admin/models/chain_changes.ts";
import { readMembers } from "../../../lib/admin/models/chain_form.ts";
import { isModelName } from "../../../lib/admin/models/model_rows.ts";
import { seeOther } from "../../../lib/console/page/address.ts";
import { defineForm } from "../../../lib/console/page/form.ts";
import { accountPage } from "../../../lib/console/page/view.ts";
import type { Model } from "../../../lib/store/catalog/mod.ts";

interface ChainData extends Omit<ComponentProps<typeof ChainForm>, "view"> {
  readonly chains: readonly Model[];
}

/** The virtual models, and a form for one. `?name=` fills the form. */
export const handler = defineForm<ChainData>({
  async load({ url, state }) {
    const { directory } = state.services;
    if (url.searchParams.has("done")) await directory.refresh(); // shows what was just set
    const name = (url.searchParams.get("name") ?? "").slice(0, 200);
    const model = directory.model(name);
    const isKnown = model?.members !== undefined && model.origin === "console";
    const chains = directory.models().filter(({ members }) => members !== undefined);
    return { chains, values: chainValues(name, model), faults: {}, isKnown };
  },

  async submit(ctx, form, { again }) {
    const values = {
      name: (form.get("name") ?? "").trim(),
      members: (form.get("members") ?? "").replaceAll("\r\n", "\n"),
    };
    const isDeleted = form.get("intent") === "delete";
    const members = readMembers(values.members);
    if (!isModelName(values.name)) return await again({ values, faults: { name: "id" } });
    if (!members && !isDeleted) return await again({ values, faults: { members: "members" } });
    const isSet = await setMembers(values.name, isDeleted ? undefined : members, ctx);
    if (!isSet) throw new HttpError(404);
    return seeOther(`/console/pricing/virtual?done=${isDeleted ? "deleted" : "saved"}`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => {
  const { chains: texts } = view.catalog;
  const { chains, ...form } = data;
  return (
    <ConsolePage view={view} title={texts.title} place="models" done={texts.done}>
      <ChainList view={view} chains={chains} />
      <ChainForm view={view} {...form} />
    </ConsolePage>
  );
});
