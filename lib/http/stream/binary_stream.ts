import { noBytes } from "../../bytes.ts";
import { Delivered, GatewayError } from "../../canonical/mod.ts";
import { outcomeOf, type Outgoing, type StreamResult, type Transcoder } from "./transcoder.ts";

/**
 * Opaque bytes, such as speech. Only their close marks them as complete, and no error can be
 * written into them.
 */
export class BinaryStream implements Transcoder<Uint8Array> {
  /** Always false, because only the end of the stream marks completion. */
  readonly isFinished = false;
  readonly #delivered = new Delivered();
  #complete = false;
  #failure?: GatewayError;

  push(bytes: Uint8Array): Outgoing {
    if (bytes.length > 0) this.#delivered.addMedium();
    return bytes.length > 0 ? { bytes } : {};
  }

  end(): Outgoing {
    if (!this.#delivered.begun) return this.fail(empty());
    this.#complete = true;
    return { terminal: noBytes };
  }

  fail(error: GatewayError): Outgoing {
    this.#failure = error;
    return { broken: error };
  }

  result(): StreamResult {
    const failure = this.#failure;
    return {
      outcome: failure ? outcomeOf(failure) : this.#complete ? "completed" : "truncated",
      delivered: this.#delivered,
      ...(failure && { error: failure }),
    };
  }
}

function empty(): GatewayError {
  return new GatewayError("upstream_invalid_response", "The upstream's response is empty");
}
