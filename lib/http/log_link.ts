import { isJsonObject } from "../canonical/mod.ts";
import type { Call } from "./call.ts";

interface LogLink {
  /** The console's address; default: the API's address. */
  readonly publicUrl?: string;
  /** Returns true once the call has a row to link to. */
  readonly isLogged: () => boolean;
}

/** Links the body of an error to the call's row in the log, as `error.log_url`. */
export function withLogLink(body: unknown, call: Call, { publicUrl, isLogged }: LogLink): unknown {
  // Every format's errors have an object `error`; an event without one is not the error itself.
  if (!isLogged() || !isJsonObject(body) || !isJsonObject(body.error)) return body;
  const url = `${publicUrl ?? call.url.origin}/console/log/${call.id}`;
  return { ...body, error: { ...body.error, log_url: url } };
}
