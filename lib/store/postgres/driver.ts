import { Buffer } from "node:buffer";
import pg from "pg";

/** A statement with its parameters; a named one is prepared once for each connection. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The part of a client of `pg` that the store uses: its own types would bring those of Node.js. */
export interface DatabaseClient {
  connect(): Promise<unknown>;
  query<Row>(query: Query): Promise<{ readonly rows: readonly Row[] }>;
  end(): Promise<void>;
  on(event: "error" | "end" | "notification", listener: () => void): this;
  /** Of the server, once connected; a pooler in between states a number of its own. */
  readonly processID: number;
  /** Not documented by `pg`: its public `end` waits for the server, which may be silent. */
  readonly connection: { readonly stream: { destroy(): void } };
}

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false | { readonly rejectUnauthorized: boolean; readonly ca?: string };
  readonly connectionTimeoutMillis: number;
}

/** Values arrive as texts; these are the types of booleans, bytes (in hexadecimal digits) and `bigint`. */
const parsers: Partial<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Uint8Array.fromHex(text.slice(2)),
  20: BigInt,
};
const types = { getTypeParser: (oid: number) => parsers[oid] ?? ((text: string) => text) };

export function newClient(options: ClientOptions): DatabaseClient {
  const more = { keepAlive: true, application_name: "tessera", pipeline: true, types };
  return new pg.Client({ ...options, ...more }) as DatabaseClient; // the part of it that is used
}

/** PgBouncer reports all faults under one code, also those that the server reported to it. */
const poolerCode = "08P01";
const poolerFaults: readonly (readonly [says: RegExp, code: string])[] = [
  [/no more connections|too many clients|connection slots/, "53300"],
  [/authentication failed|no such user/, "28P01"],
  [/no such database|^database .* does not exist/, "3D000"],
];

/** The code of an error of the server, such as `40001`; empty for any other error. */
export function sqlState(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (code === poolerCode) return poolerFaults.find(([says]) => says.test(message))?.[1] ?? code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "";
}

const itemTypes = {
  bytea: { oid: 17, bytes: 0 },
  int8: { oid: 20, bytes: 8 },
  int4: { oid: 23, bytes: 4 },
} as const;
const arrayHeadBytes = 20;

/** An array of byte strings in PostgreSQL's binary format, which is shorter than its text. */
export function byteArrays(items: readonly (Uint8Array | null)[]): Buffer {
  const bytes = items.reduce((sum, item) => sum + 4 + (item?.length ?? 0), 0);
  const { buffer, view } = arrayOf("bytea", items.length, bytes);
  let at = arrayHeadBytes;
  for (const item of items) {
    view.setInt32(at, item?.length ?? -1);
    if (item) buffer.set(item, at + 4);
    at += 4 + (item?.length ?? 0);
  }
  return buffer;
}

/** An array of integers in PostgreSQL's binary format; those of 64 bits wrap around. */
export function integers(
  type: "int4" | "int8",
  items: readonly (number | bigint | null)[],
): Buffer {
  const size = itemTypes[type].bytes;
  const bytes = items.reduce<number>((sum, item) => sum + 4 + (item === null ? 0 : size), 0);
  const { buffer, view } = arrayOf(type, items.length, bytes);
  let at = arrayHeadBytes;
  for (const item of items) {
    view.setInt32(at, item === null ? -1 : size);
    at += 4;
    if (item === null) continue;
    if (type === "int8") view.setBigInt64(at, BigInt.asIntN(64, BigInt(item)));
    else view.setInt32(at, Number(item));
    at += size;
  }
  return buffer;
}

/** An empty array has no dimension. */
function arrayOf(type: keyof typeof itemTypes, count: number, itemBytes: number) {
  const buffer = Buffer.alloc(count === 0 ? 12 : arrayHeadBytes + itemBytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const head = [count === 0 ? 0 : 1, 1, itemTypes[type].oid, ...(count === 0 ? [] : [count, 1])];
  for (const [at, number] of head.entries()) view.setInt32(4 * at, number);
  return { buffer, view };
}
