import { type Context, HttpError } from "fresh";
import { enterDeviceCode } from "../../accounts/mod.ts";
import { createDevice, declineDevice, removeKey } from "../../admin/keys/key_changes.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { ownGroupIds } from "../groups/account_groups.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { AccountState } from "../session/state.ts";

/** The page that a device names for its code; `?user_code=` fills it in. */
export const devicesPath = "/console/account/devices";

type DeviceTexts = Catalog["security"]["devices"];

/** The data of the page with the account's devices. */
export interface DevicePageData {
  /** Newest first. */
  readonly devices: readonly ApiKey[];
  readonly groupIds: readonly string[];
  readonly code: string;
  readonly fault?: keyof DeviceTexts["faults"];
  /** Set after too many wrong codes. */
  readonly waitSeconds?: number;
}

export async function devicePageData(
  { state, url }: Pick<Context<AccountState>, "state" | "url">,
): Promise<DevicePageData> {
  const { services: { store }, account: { user } } = state;
  const keys = await listApiKeys(store, { accountId: user.id });
  return {
    devices: keys.filter(({ device }) => device !== undefined),
    groupIds: await ownGroupIds(state),
    code: (url.searchParams.get("user_code") ?? "").slice(0, 40),
  };
}

/** The done change of a form, its fault, or the seconds to wait after too many wrong codes. */
type DeviceChange =
  | { readonly done: keyof DeviceTexts["done"] }
  | { readonly fault: keyof DeviceTexts["faults"] }
  | { readonly waitSeconds: number };

/** Signs a device in or out as the form asks. */
export async function changeDevices(
  ctx: Context<AccountState>,
  form: URLSearchParams,
): Promise<DeviceChange> {
  const { services: { store }, account: { user }, nowMs } = ctx.state;
  const ended = form.get("device");
  if (ended !== null) return await endDevice(ctx, ended);
  const attempt = { accountId: user.id, entered: form.get("code") ?? "" };
  const code = await enterDeviceCode(store, attempt, nowMs);
  if (code === undefined) return { fault: "code" };
  if (typeof code === "object") return { waitSeconds: Math.ceil(code.waitMs / 1_000) };
  if (form.has("refuse")) {
    return await declineDevice(ctx, code) ? { done: "refused" } : { fault: "codeUsed" };
  }
  const groupId = form.get("group") ?? "";
  if (!(await ownGroupIds(ctx.state)).includes(groupId)) return { fault: "group" };
  const created = await createDevice(ctx, { code, groupId });
  return typeof created === "string" ? { fault: created } : { done: "admitted" };
}

/** Throws 404 for anybody else's device too, so that ids reveal nothing. */
async function endDevice(ctx: Context<AccountState>, id: string) {
  const device = (await devicePageData(ctx)).devices.find((one) => one.id === id);
  if (!device) throw new HttpError(404);
  await removeKey(ctx, device);
  return { done: "ended" } as const;
}
