/** Relayed endpoints: passed on unchanged, metered, never converted. */
export {
  assertRelayable,
  isRelayed,
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "./endpoints.ts";
