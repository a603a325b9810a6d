import { Buffer } from "node:buffer";
import { serialize } from "node:v8";
import { keys, ownFormats } from "../../lib/store/keys.ts";
import { chunkNames, cut } from "../../lib/store/kv/chunks.ts";
import { decodeValue, isEncoded } from "../../lib/store/kv/value.ts";
import { packedName, sumsOfEntry } from "../../lib/store/usage/packed_sums.ts";

/**
 * Turns a closed store into one of an earlier release: its values are in V8's serialization, as the
 * running Deno writes it, and it has no format.
 */
export async function makeFormer(path: string): Promise<void> {
  using kv = await Deno.openKv(path);
  await unpackRollups(kv);
  for (const { key, value } of await Array.fromAsync(kv.list({ prefix: [] }))) {
    if (ownFormats.has(key[0]) || !isEncoded(value)) continue;
    await kv.set(key, await formerValue(kv, decodeValue(value)));
  }
  await kv.delete(keys.format);
}

/** Stores each sum of the rollups under its own name, as earlier releases did. */
export async function unpackRollups(kv: Deno.Kv): Promise<void> {
  for (const kind of ["hour", "day", "times_hour", "times_day"]) {
    for (const entry of await Array.fromAsync(kv.list({ prefix: [`rollup_${kind}`] }))) {
      const { key, value } = entry;
      if (key.at(-1) !== packedName) continue;
      const operation = kv.atomic().delete(key);
      const packed = { ...entry, value: isEncoded(value) ? decodeValue(value) : value };
      for (const [name, amount] of sumsOfEntry(packed)) {
        operation.sum([...key.slice(0, -1), name], amount);
      }
      await operation.commit();
    }
  }
}

interface Head {
  readonly elsewhere: { readonly id: string; readonly bytes: number };
}

function isHead(value: unknown): value is Head {
  return typeof value === "object" && value !== null && "elsewhere" in value;
}

/** Earlier releases also wrote the parts of a large record in V8's serialization. */
async function formerValue(kv: Deno.Kv, value: unknown): Promise<unknown> {
  if (!isHead(value)) return value;
  const { id, bytes } = value.elsewhere;
  const parts: Uint8Array[] = [];
  for (const name of chunkNames(bytes)) {
    parts.push((await kv.get<Uint8Array>(keys.recordPart(id, name))).value ?? new Uint8Array());
    await kv.delete(keys.recordPart(id, name));
  }
  const former = new Uint8Array(serialize(decodeValue(Buffer.concat(parts))));
  const chunks = cut(former);
  for (const [at, name] of chunkNames(former.length).entries()) {
    await kv.set(keys.recordPart(id, name), chunks[at]);
  }
  return { elsewhere: { id, bytes: former.length } };
}

/** The number of values in V8's serialization. */
export async function countFormer(path: string): Promise<number> {
  using kv = await Deno.openKv(path);
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return entries.filter(({ value }) =>
    !(value instanceof Uint8Array) && !(value instanceof Deno.KvU64)
  ).length;
}
