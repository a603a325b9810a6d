import type { StoreLocation } from "../../../lib/store/kv/open.ts";
import { postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { postgresPrograms, startPostgres } from "../../postgres_server.ts";
import { denokvPath, startDenokv } from "./denokv.ts";

/** A database server that several gateways share. */
export interface SharedStore extends AsyncDisposable {
  readonly location: StoreLocation & { readonly url: string };
  /** As messages name it. */
  readonly where: string;
  /** The environment of a gateway that shares it. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of a gateway on Deno Deploy that shares it. */
  readonly deployEnv: Readonly<Record<string, string>>;
  /** Sends SIGSTOP (freeze) or SIGCONT to the server. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void | Promise<void>;
  kill(): Promise<void>;
  /** Starts the server again on the same port and data. */
  restart(): Promise<void>;
}

interface Kind {
  readonly name: string;
  readonly isMissing: boolean;
  /** `folder` is for its data. */
  readonly start: (folder: string) => Promise<SharedStore>;
}

export const sharedStores: readonly Kind[] = [
  {
    name: "a KV server",
    isMissing: denokvPath === undefined,
    start: async (folder) => {
      const server = await startDenokv(folder);
      return Object.assign(server, { where: server.location.url });
    },
  },
  {
    name: "PostgreSQL",
    isMissing: postgresPrograms === undefined,
    start: startOnPostgres,
  },
];

/** Registers a test on each kind of server; a long one is left out. */
export function testOnSharedStores(
  name: (kind: string) => string,
  run: (start: Kind["start"], kind: string) => Promise<void>,
  isLong = false,
): void {
  for (const kind of sharedStores) {
    Deno.test({
      name: name(kind.name),
      ignore: kind.isMissing || isLong,
      fn: () => run(kind.start, kind.name),
    });
  }
}

/** The location that `TESSERA_KV` names. */
export function locationOf(place: string): StoreLocation {
  if (place.startsWith("http")) return { type: "server", url: place };
  return place.startsWith("postgres")
    ? { type: "postgres", url: place }
    : { type: "file", path: place };
}

async function startOnPostgres(): Promise<SharedStore> {
  const server = await startPostgres();
  const url = server.url();
  const env = { TESSERA_KV: url, TESSERA_SECRET: "a-secret-of-tests" };
  return {
    location: { type: "postgres", url },
    where: postgresLocation(url).where,
    ...{ env, deployEnv: env },
    signal: (signal) => server.signal(signal),
    kill: () => server.kill(),
    restart: () => server.start(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
