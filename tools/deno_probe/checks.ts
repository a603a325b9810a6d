import { noticesDisconnects } from "../../lib/telemetry/disconnect_check.ts";
import {
  closesConnection,
  compresses,
  keepsConnection,
  readsChunkedUpload,
} from "./connections.ts";
import { noticesStreamDisconnect, noticesUploadDisconnect } from "./disconnects.ts";
import { endsStreamAtShutdown, readsUploadAtShutdown } from "./shutdown.ts";

/** One check of the runtime; true is the behavior that the gateway needs. */
interface Check {
  readonly name: string;
  readonly run: () => Promise<boolean>;
}

const waitMs = 2_000;
const bodies = [["300 B", 300], ["20 KB", 20_000], ["1 MB", 1_000_000], [
  "20 MB",
  20_000_000,
]] as const;

/** Every answer must be true of a Deno that the gateway runs on. */
export const needed: readonly Check[] = [
  ...bodies.map(([size, bodyBytes]) => ({
    name: `notices a disconnect, whole answer, body of ${size}`,
    run: () => noticesDisconnects({ bodyBytes, waitMs }),
  })),
  ...bodies.map(([size, bodyBytes]) => ({
    name: `notices a disconnect, streamed answer, body of ${size}`,
    run: () => noticesStreamDisconnect({ bodyBytes, waitMs }),
  })),
  {
    name: "notices a disconnect half-way through 1 MB",
    run: () => noticesUploadDisconnect(1_000_000),
  },
  { name: "keeps a connection alive", run: keepsConnection },
  { name: "closes after connection: close", run: closesConnection },
  { name: "reads a chunked upload of 1 MB", run: readsChunkedUpload },
  { name: "reads an upload in flight at shutdown", run: readsUploadAtShutdown },
  { name: "ends a stream in flight at shutdown", run: endsStreamAtShutdown },
];

/** Informational checks; either result is acceptable. */
export const informative: readonly Check[] = [
  { name: "compresses whole answers by itself", run: compresses },
];

/** The answers of the Deno that runs this, by the check's name. */
export async function answers(checks: readonly Check[]): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {};
  for (const { name, run } of checks) {
    found[name] = await run().catch(() => false);
  }
  return found;
}

if (import.meta.main) {
  console.log(JSON.stringify(await answers([...needed, ...informative])));
  Deno.exit(0); // a faulty runtime may hold connections open
}
