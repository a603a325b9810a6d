import type { Context } from "fresh";
import { isIP } from "node:net";
import type { PasskeySite } from "../../accounts/mod.ts";
import { publicOrigin } from "../page/return_origin.ts";
import type { ConsoleState } from "../session/state.ts";

/**
 * The relying party of passkeys: the configured public address, else the host that the browser
 * used. Undefined for an IP address, because passkeys need a host name.
 */
export function passkeySite(
  ctx: Pick<Context<ConsoleState>, "req" | "url" | "state">,
): PasskeySite | undefined {
  const origin = publicOrigin(ctx);
  const { hostname } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return isAddress ? undefined : { rpId: hostname, origin };
}
