import type { ServerSentEvent } from "../../../lib/formats/wire.ts";

/** Checks one stream against its format's protocol. */
export interface StreamValidator {
  push(event: ServerSentEvent): void;
  /** The violations found, empty when there are none. `end` also checks that the stream ended as it must. */
  end(): readonly string[];
}
