/** The endpoints beside the formats: passed on as they are, metered, never converted. */
export {
  assertRelayable,
  type RelayedEndpoint,
  relayedEndpoint,
  relayedEndpoints,
} from "./endpoints.ts";
