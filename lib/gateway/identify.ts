import {
  assertFormat,
  authorize,
  type Caller,
  callerOf,
  mayUseFormat,
} from "../accounts/authorize.ts";
import { authorizeChild, isChildKey } from "../accounts/mod.ts";
import type { Call } from "../http/call.ts";
import { carriedKey } from "../http/key_carrier.ts";
import type { Directory } from "../store/directory/mod.ts";
import { withSession } from "./call_session.ts";
import { withTags } from "./call_tags.ts";

/**
 * Returns the caller, at once if its key is in memory. Refuses a key that is unknown, disabled,
 * expired, not allowed from this address, or not for this format, and malformed tags or sessions. Any
 * key may read about itself.
 */
export function identify(call: Call, directory: Directory): Caller | Promise<Caller> {
  const secret = carriedKey(call.request.headers, call.url);
  const { ip, startedAtMs: nowMs } = call;
  if (secret !== undefined && isChildKey(secret)) {
    return authorizeChild(secret, { ip, nowMs }, directory)
      .then((caller) => admitted(caller, call, directory));
  }
  const known = secret === undefined ? undefined : directory.peekKey(secret);
  if (secret !== undefined && known) {
    return admitted(callerOf(known, { ip, nowMs, secret }, directory), call, directory);
  }
  return authorize(secret, { ip, nowMs }, directory)
    .then((caller) => admitted(caller, call, directory));
}

/** The caller with the call's session and tags. Refuses a format that its group does not allow. */
function admitted(caller: Caller, call: Call, directory: Directory): Caller | Promise<Caller> {
  const { endpoint, codec, ip, startedAtMs: atMs, request } = call;
  if (!endpoint.isOwnKey && !mayUseFormat(caller.group, codec.name)) {
    directory.noteDenied(caller.key.id, "format", { ip, atMs });
    assertFormat(caller, codec.name);
  }
  return withTags(withSession(caller, request.headers), request.headers, directory);
}
