/** Relayed endpoints: passed on unchanged, metered, never converted. */
export {
  assertRelayable,
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "./endpoints.ts";
