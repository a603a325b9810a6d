import { DevicesPage } from "../../../../components/account/DevicesPage.tsx";
import {
  changeDevices,
  type DevicePageData,
  devicePageData,
  devicesPath,
} from "../../../../lib/console/account/devices.ts";
import { doneIn, seeOther } from "../../../../lib/console/page/address.ts";
import { defineForm } from "../../../../lib/console/page/form.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";

/** The devices of the account: signs one in by the code that it shows, and signs them out. */
export const handler = defineForm<DevicePageData>({
  load: devicePageData,

  async submit(ctx, form, { again }) {
    const result = await changeDevices(ctx, form);
    if ("done" in result) return seeOther(`${devicesPath}?done=${result.done}`);
    const page = { ...result, code: form.get("code") ?? "" };
    if (!("waitSeconds" in result)) return await again(page);
    return await again(page, {
      status: 429,
      headers: { "retry-after": String(result.waitSeconds) },
    });
  },
});

export default accountPage<typeof handler>(({ data, url, view }) => (
  <DevicesPage view={view} data={data} done={doneIn(url, view.catalog.security.devices.done)} />
));
