import { page } from "fresh";
import { CloudPage } from "../../../../../components/upstreams/CloudPage.tsx";
import { seeOther } from "../../../../../lib/console/page/address.ts";
import { defineForm, listFormBytesMax } from "../../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../../lib/console/page/view.ts";
import {
  addCloudUpstream,
  type CloudUpstream,
  emptyCloud,
} from "../../../../../lib/console/upstreams/cloud_form.ts";

/**
 * Adds an upstream in a cloud. The address says which surface and how to sign in, and the form asks
 * for what these need. It is tested and saved like any other upstream.
 */
export const handler = defineForm<CloudUpstream>({
  load: ({ url: { searchParams } }) => emptyCloud(searchParams),
  bytesMax: listFormBytesMax,
  async submit(ctx, form) {
    const result = await addCloudUpstream(form, ctx);
    if (result.type === "refused") {
      return page(result.shown, { status: result.shown.report ? 200 : 422 });
    }
    return seeOther(`/console/admin/upstreams/${result.id}?done=${result.done}`);
  },
});

export default accountPage<typeof handler>(({ data, view }) => (
  <CloudPage
    view={view}
    data={data}
  />
));
