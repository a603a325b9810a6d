import { noticesDisconnects } from "../../../lib/telemetry/runtime_check.ts";
import { closesConnection, keepsConnection, readsChunkedUpload } from "./connections.ts";
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
