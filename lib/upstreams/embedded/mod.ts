/** `tessera-echo`, the model inside the gateway: deterministic, with no account and no network. */
export { answerEmbedded } from "./answer.ts";
/** The name that it is served under. */
export const embeddedModel = "tessera-echo";
