import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** The use of a secret after its rotation. */
export interface FormerSecretUse {
  /** Calls since the rotation. */
  readonly count: number;
  /** Time and address of the last of them. */
  readonly atMs: number;
  readonly ip: string;
}

const kind: Kind<FormerSecretUse> = { name: "use of a former secret", version: 1 };

/** Much longer than the longest grace period. */
const keptMs = 30 * 86_400_000;

/** Returns undefined if nobody has used it since the rotation. */
export async function getFormerSecretUse(
  store: Store,
  digest: string,
): Promise<FormerSecretUse | undefined> {
  const { value } = await store.kv.get(keys.formerSecretUse(digest));
  return value === null ? undefined : decodeRecord(kind, value);
}

/** Adds calls made with a former secret. */
export async function addFormerSecretUse(
  store: Store,
  digest: string,
  { count, atMs, ip }: FormerSecretUse,
): Promise<void> {
  await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.formerSecretUse(digest));
    const known = entry.value === null ? undefined : decodeRecord(kind, entry.value);
    const newer = known !== undefined && known.atMs > atMs ? known : { atMs, ip };
    const use = { atMs: newer.atMs, ip: newer.ip, count: count + (known?.count ?? 0) };
    const operation = store.kv.atomic().check(entry);
    operation.set(entry.key, encodeRecord(kind, use), { expireIn: keptMs });
    return (await operation.commit()).ok ? true : undefined;
  });
}
