import {
  assertFormat,
  authorize,
  type Caller,
  type KeyDirectory,
  mayUseFormat,
} from "../accounts/authorize.ts";
import type { Call } from "../http/call.ts";
import { carriedKey } from "../http/key_carrier.ts";

/**
 * Returns the caller. Refuses a key that is unknown, disabled, expired, not allowed from this
 * address, or not for this format.
 */
export async function identify(call: Call, directory: KeyDirectory): Promise<Caller> {
  const secret = carriedKey(call.request.headers, call.url);
  const from = { ip: call.ip, nowMs: call.startedAtMs };
  const caller = await authorize(secret, from, directory);
  if (!mayUseFormat(caller.group, call.codec.name)) {
    directory.noteDenied(caller.key.id, "format", { ip: call.ip, atMs: call.startedAtMs });
  }
  assertFormat(caller, call.codec.name);
  return caller;
}
