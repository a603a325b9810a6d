import type { ComponentProps } from "preact";
import { ConsolePage } from "../../../../../components/layout/ConsolePage.tsx";
import { DeleteUpstream } from "../../../../../components/upstreams/DeleteUpstream.tsx";
import { removeUpstream } from "../../../../../lib/admin/upstreams/upstream_changes.ts";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import { ownUpstreamAt } from "../../../../../lib/console/upstreams/upstream_page.ts";
import { isInUse, upstreamUses } from "../../../../../lib/console/upstreams/upstream_uses.ts";

/**
 * Deletes an upstream after confirmation, which lists its uses; one in use needs its name typed.
 */
export const handler = defineForm<DeleteData>({
  async load({ params, state }) {
    const upstream = await ownUpstreamAt(params.id, state);
    const uses = await upstreamUses(upstream, state);
    return { id: upstream.id, uses, isTyped: isInUse(upstream, uses), isWrong: false };
  },

  async submit(ctx, form, { load, again }) {
    const { id, isTyped } = await load();
    if (isTyped && form.get("name")?.trim() !== id) return await again({ isWrong: true });
    await removeUpstream(id, ctx);
    return seeOther("/console/admin/upstreams?done=deleted");
  },
});

type DeleteData = Omit<ComponentProps<typeof DeleteUpstream>, "view">;

export default accountPage<typeof handler>(({ data, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.upstreams.title} place="upstreams">
      <DeleteUpstream view={view} {...data} />
    </ConsolePage>
  );
});
