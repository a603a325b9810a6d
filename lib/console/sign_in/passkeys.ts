import type { Context } from "fresh";
import { isIP } from "node:net";
import type { PasskeySite } from "../../accounts/mod.ts";
import { publicOrigin } from "../page/address.ts";
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

/** The WebAuthn options for the browser, as JSON; bytes are base64url. */
export type PasskeyRequest =
  | { readonly type: "create"; readonly options: CreationOptions }
  | { readonly type: "get"; readonly options: RequestOptions };

interface Descriptor {
  readonly id: string;
  readonly type: string;
  readonly transports?: readonly string[];
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials?: readonly Descriptor[];
}

interface RequestOptions {
  readonly challenge: string;
  readonly allowCredentials?: readonly Descriptor[];
}
