/** Webhooks: the types of events, their endpoints, and the signed deliveries. */
export { type AlertEventType, alertEventTypes, eventTypeOf } from "./alert_event.ts";
export type { DeliveryTest } from "./attempt.ts";
export { type DeliveryOutcome, deliveryOutcomes } from "./deliveries.ts";
export {
  changedEndpoint,
  type EndpointSettings,
  endpointSettings,
  endpointWords,
  isAllowedAddress,
  maskedUrl,
  newEndpoint,
  rotatedEndpoint,
  shownAddress,
  switchedEndpoint,
  webhookName,
} from "./endpoint_rules.ts";
export { eventPath } from "./event_path.ts";
export {
  type EventData,
  type EventType,
  eventTypeNames,
  eventTypes,
  newEvent,
} from "./event_types.ts";
export { configuredId } from "./receiver.ts";
export { Webhooks } from "./webhooks.ts";
