import { playgroundKeyId } from "../../accounts/mod.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";

/** The address of the key that made a call; undefined for the playground's calls, which have none. */
export function keyPath({ keyId, accountId }: RequestLogRow): string | undefined {
  return keyId === playgroundKeyId(accountId) ? undefined : `/console/token/${keyId}`;
}
