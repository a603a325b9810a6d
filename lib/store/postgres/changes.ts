import { type Changes, notASum } from "../kv/engine.ts";
import { encodeKey } from "../kv/key_codec.ts";
import { byteArrays, integers } from "./driver.ts";

/** The limits of Deno KV, so that what one engine stores can move to another. */
const [keyBytesMax, checkedKeyBytesMax, valueBytesMax] = [2_048, 2_049, 65_536];
const [commitBytesMax, mutationsMax, checksMax] = [819_200, 1_000, 100];
/** A commit of more keys locks the whole store: PostgreSQL has room for few locks. */
const locksMax = 64;

type Value = Uint8Array | Deno.KvU64;
type Change =
  | { readonly type: "delete" }
  | { readonly type: "set"; readonly value: Value; readonly expireIn?: number }
  | { readonly type: SumType; readonly amount: bigint };
type SumType = keyof typeof sumTypes;

/** As the function of the schema numbers them. */
const sumTypes = { sum: 0, min: 1, max: 2 } as const;

/** One change of each key, after those before it. */
interface KeyChange {
  readonly bytes: Uint8Array;
  readonly change: Change;
}

/** The parameters of the function that commits; throws a `TypeError` beyond Deno KV's limits. */
export function commitParameters(changes: Changes): readonly unknown[] {
  const checks = changes.checks.map(({ key, versionstamp }) => ({
    bytes: limitedKey(key, checkedKeyBytesMax, "read"),
    version: versionOf(versionstamp),
  }));
  if (checks.length > checksMax) throw new TypeError(`Too many checks (max ${checksMax})`);
  const changed = changedKeys(changes.mutations);
  const deletes = changed.filter(({ change }) => change.type === "delete");
  const sets = changed.flatMap(({ bytes, change }) =>
    change.type === "set" ? [{ bytes, ...change }] : []
  );
  const sums = changed.flatMap(({ bytes, change }) =>
    "amount" in change ? [{ bytes, ...change }] : []
  );
  return [
    integers("int4", locksOf(checks, changed)),
    byteArrays(checks.map(({ bytes }) => bytes)),
    integers("int8", checks.map(({ version }) => version)),
    byteArrays(deletes.map(({ bytes }) => bytes)),
    byteArrays(sets.map(({ bytes }) => bytes)),
    byteArrays(sets.map(({ value }) => value instanceof Uint8Array ? value : null)),
    integers("int8", sets.map(({ value }) => value instanceof Uint8Array ? null : value.value)),
    integers(
      "int8",
      sets.map(({ expireIn }) => expireIn === undefined ? null : Math.ceil(expireIn)),
    ),
    byteArrays(sums.map(({ bytes }) => bytes)),
    integers("int4", sums.map(({ type }) => sumTypes[type])),
    integers("int8", sums.map(({ amount }) => amount)),
  ];
}

function changedKeys(mutations: Changes["mutations"]): readonly KeyChange[] {
  if (mutations.length > mutationsMax) {
    throw new TypeError(`Too many mutations (max ${mutationsMax})`);
  }
  const changed = new Map<string, KeyChange>();
  let total = 0;
  for (const mutation of mutations) {
    const bytes = limitedKey(mutation.key, keyBytesMax, "write");
    const change = changeOf(mutation);
    const id = bytes.toHex();
    const before = changed.get(id)?.change;
    changed.set(id, { bytes, change: before ? folded(before, change) : change });
    total += bytes.length + ("value" in mutation ? bytesOf(mutation.value) : 0);
  }
  if (total <= commitBytesMax) return [...changed.values()];
  throw new TypeError(`Total mutation size too large (max ${commitBytesMax} bytes)`);
}

function changeOf(mutation: Deno.KvMutation): Change {
  const { type } = mutation;
  if (type === "delete") return { type };
  if (type !== "set") return { type, amount: mutation.value.value };
  const { value, expireIn } = mutation;
  if (bytesOf(value) > valueBytesMax) {
    throw new TypeError(`Value too large (max ${valueBytesMax} bytes)`);
  }
  return { type, value: value as Value, expireIn }; // the database encodes every other value
}

function bytesOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 8;
}

const sumMax = 2n ** 64n - 1n;

function folded(before: Change, next: Change): Change {
  if (!("amount" in next)) return next;
  const { type, amount } = next;
  if (before.type === "delete") return { type: "set", value: new Deno.KvU64(amount) };
  const former = before.type === "set" ? before.value : before;
  if (former instanceof Uint8Array) throw notASum();
  if ("amount" in former) {
    if (before.type !== type) throw new TypeError("Different sums of one key in one commit");
    return { type, amount: summed(type, former.amount, amount) };
  }
  return { type: "set", value: new Deno.KvU64(summed(type, former.value, amount)) };
}

function summed(type: SumType, former: bigint, amount: bigint): bigint {
  if (type === "sum") return former + amount & sumMax;
  return (type === "min") === (former < amount) ? former : amount;
}

/**
 * Twice the hash of each key, plus one for an exclusive lock, in the one order that all commits
 * take. Empty: the whole store is locked.
 */
function locksOf(
  checks: readonly { readonly bytes: Uint8Array }[],
  changed: readonly KeyChange[],
): readonly number[] {
  const locks = new Map<number, number>();
  for (const { bytes } of checks) locks.set(hashOf(bytes), 0);
  for (const { bytes } of changed) locks.set(hashOf(bytes), 1);
  if (locks.size > locksMax) return [];
  if (locks.size === 0) return [0]; // the commit changes nothing
  return [...locks].sort(([a], [b]) => a - b).map(([hash, mode]) => hash * 2 + mode);
}

/** FNV-1a, 30 bits of it: all processes of a store must lock the same number. */
export function hashOf(key: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 2;
}

/** Encodes a key to be read, which may be one byte longer than a written one. */
export function readKey(key: Deno.KvKey): Uint8Array {
  return limitedKey(key, checkedKeyBytesMax, "read");
}

function limitedKey(key: Deno.KvKey, bytesMax: number, what: string): Uint8Array {
  if (key.length === 0) throw new TypeError("key cannot be empty");
  const bytes = encodeKey(key);
  if (bytes.length <= bytesMax) return bytes;
  throw new TypeError(`Key too large for ${what} (max ${bytesMax} bytes)`);
}

/** Ten bytes in hexadecimal digits, as Deno KV's. */
export function versionstampOf(version: bigint): string {
  return `${version.toString(16).padStart(16, "0")}0000`;
}

function versionOf(versionstamp: string | null): bigint | null {
  return versionstamp === null ? null : BigInt(`0x${versionstamp.slice(0, 16)}`);
}
