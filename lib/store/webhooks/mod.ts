/** Webhooks: their endpoints, the events that wait to be addressed, and the deliveries. */
export {
  addressEvent,
  claimDelivery,
  type ClaimedDelivery,
  deliveriesOfEvent,
  type DeliveryAttempt,
  endClaim,
  endpointIdsWithDeliveries,
  getDelivery,
  hasWaiting,
  listDeliveries,
  mailReceiverId,
  type PlannedDelivery,
  pruneDeliveries,
  queueMail,
  sendAgain,
  type WebhookDelivery,
} from "./delivery.ts";
export {
  createEndpoint,
  deleteEndpoint,
  type DisabledBecause,
  getEndpoint,
  listEndpoints,
  updateEndpoint,
  type WebhookEndpoint,
  type WebhookFormat,
  webhookFormats,
} from "./endpoint.ts";
export {
  isMarked,
  listOutbox,
  type OutboxEntry,
  postEvent,
  postEventAtEnd,
  postEventOnce,
  type WebhookEvent,
} from "./outbox.ts";
