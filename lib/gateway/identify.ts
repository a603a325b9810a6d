import { assertFormat, authorize, type Caller, type KeyDirectory } from "../accounts/authorize.ts";
import type { Call } from "../http/call.ts";
import { carriedKey } from "../http/key_carrier.ts";

/** Who calls. Refuses a key that is unknown, disabled, expired or used from elsewhere. */
export async function identify(call: Call, directory: KeyDirectory): Promise<Caller> {
  const secret = carriedKey(call.request.headers, call.url);
  const caller = await authorize(secret, { ip: call.ip, nowMs: call.startedAtMs }, directory);
  assertFormat(caller, call.codec.name);
  return caller;
}
