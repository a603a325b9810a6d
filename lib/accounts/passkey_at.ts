import type { Store } from "../store/mod.ts";

/** The site that passkeys sign for. */
export interface PasskeySite {
  /** The host's name. */
  readonly rpId: string;
  /** Such as `https://gateway.example.com`. */
  readonly origin: string;
}

/** The dependencies of passkey functions. */
export interface PasskeyAt {
  readonly store: Store;
  readonly site: PasskeySite;
  readonly nowMs: number;
}
