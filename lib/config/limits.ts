import { z } from "zod";
import { must, positiveInteger, strict, timerMs } from "./fields.ts";

const mebibyte = 1024 * 1024;
/** The payment service's own maximum. */
const paymentUsdMost = 900_000;
const paymentText = `a whole number of USD from 1 to ${paymentUsdMost}`;
const minutesText = "a number of minutes from 1 to 10080";

const shareText = "a whole number from 0 to 100";
const sharePercent = z.int(must(shareText)).min(0, must(shareText)).max(100, must(shareText));
const paymentUsd = z.int(must(paymentText)).min(1, must(paymentText))
  .max(paymentUsdMost, must(paymentText));

/** Every limit of the gateway, under the name that the code uses. */
export const limitsSchema = strict({
  bodyBytesMax: positiveInteger.default(32 * mebibyte)
    .describe("The largest request body, in bytes"),
  formBytesMax: positiveInteger.default(26 * mebibyte)
    .describe("The largest form with a recording or images, in bytes"),
  bodyTimeoutMs: timerMs.default(60_000)
    .describe("Time limit for receiving a request body"),
  connectionsMax: positiveInteger.default(20_000)
    .describe(
      "Maximum number of open connections of callers, in each isolate; fewer if the limit of open files is below three times as many",
    ),
  networkConnectionsPercent: positiveInteger.default(50)
    .describe(
      "Share of one network in the connections, in percent; networks of proxies and private ones have no share",
    ),
  headTimeoutMs: timerMs.default(30_000)
    .describe("Time limit for receiving the head of a connection's first request"),
  idleTimeoutMs: timerMs.default(620_000)
    .describe("Time after which a connection without a request is closed"),
  nestingMax: positiveInteger.default(100)
    .describe("Maximum nesting depth of the JSON of a request or an upstream's answer"),
  containersMax: positiveInteger.default(100_000)
    .describe("Maximum number of objects and arrays in the JSON of a request"),
  membersMax: positiveInteger.default(250_000)
    .describe("Maximum number of object members in the JSON of a request"),
  objectMembersMax: positiveInteger.default(5_000)
    .describe("Maximum number of members of one object in the JSON of a request"),
  valuesMax: positiveInteger.default(500_000)
    .describe(
      "Maximum number of values in the JSON of a request, such as numbers and strings; 16 bytes of numbers and white space count as one at least",
    ),
  answerContainersMax: positiveInteger.default(500_000)
    .describe(
      "Maximum number of objects and arrays in an upstream's answer, or in one event of it; twice as many members, four times as many values",
    ),
  bodiesHeapPercent: positiveInteger.default(12)
    .describe(
      "Memory limit for the request bodies of all calls in flight, in percent of the JavaScript heap limit",
    ),
  accountBodiesPercent: positiveInteger.default(50)
    .describe("Share of that limit for the calls of one account, in percent"),
  bodiesWaitMs: timerMs.default(2_000)
    .describe("Time that a request waits for memory in use by other requests' bodies"),
  unfundedBodyBytesMax: positiveInteger.default(mebibyte)
    .describe(
      "The largest request body of a caller whose limit, budget or balance is used up, in bytes; smaller bodies are read, because their model may be free",
    ),
  silentBytesMax: positiveInteger.default(mebibyte)
    .describe(
      "Maximum number of bytes that an upstream's stream may send without an event, such as comments and blank lines",
    ),
  answerBytesMax: positiveInteger.default(64 * mebibyte)
    .describe("The largest whole answer of an upstream, in bytes"),
  eventBytesMax: positiveInteger.default(16 * mebibyte)
    .describe("The largest single event of an upstream's stream, in bytes"),
  attemptsMax: positiveInteger.default(4)
    .describe("Maximum number of attempts per request before its first byte"),
  attemptsDeadlineMs: timerMs.default(900_000)
    .describe("Time after which a request tries no further upstreams"),
  attemptsWaitMs: timerMs.default(5_000)
    .describe(
      "Time that a request waits for paused upstreams if there are no others",
    ),
  retriesPercent: sharePercent.default(20)
    .describe(
      "Share of an upstream's calls in progress that may be retries after a passing failure, in percent; three are always allowed, and 0 allows none",
    ),
  breakerFailuresMax: positiveInteger.default(5)
    .describe("Number of consecutive failures that open an upstream's circuit"),
  breakerWindowMs: timerMs.default(30_000)
    .describe("Window in which failures that are not consecutive are counted"),
  breakerWindowFailuresMax: positiveInteger.default(20)
    .describe(
      "Number of failures in that window that open a circuit, if at least half of the calls failed",
    ),
  breakerOpenMs: timerMs.default(5_000)
    .describe(
      "Time before an open circuit lets a test call through; doubles after each failed test",
    ),
  breakerOpenMsMax: timerMs.default(300_000)
    .describe("Maximum time a circuit is open"),
  breakerCallsMax: positiveInteger.default(100)
    .describe(
      "Maximum number of concurrent calls to an upstream with an open circuit, used only if no healthy upstream is left; further calls fail",
    ),
  cooldownMs: timerMs.default(1_000)
    .describe(
      "Pause of an upstream that rate-limited a call without a retry time; doubles after each consecutive pause",
    ),
  cooldownMsMax: timerMs.default(60_000)
    .describe("Maximum pause of a rate-limited upstream, even if it requests a longer one"),
  credentialOutMs: timerMs.default(60_000)
    .describe("Pause of a refused credential; doubles after each consecutive pause"),
  credentialOutMsMax: timerMs.default(3_600_000)
    .describe("Maximum pause of a refused credential"),
  healthEntriesMax: positiveInteger.default(10_000)
    .describe("Maximum number of models, upstreams and credentials whose health is tracked"),
  moneyWaitMs: timerMs.default(15_000)
    .describe("Time that a call waits for money that calls in flight may return"),
  sseKeepAliveMs: timerMs.default(10_000)
    .describe("Keep-alive interval of a silent stream"),
  answerTailMs: timerMs.default(10_000)
    .describe(
      "Time that a finished stream has to send its usage and close",
    ),
  readTimeoutMs: timerMs.default(600_000)
    .describe("Time after which a streamed answer that its caller does not read is ended"),
  storeProbeMs: timerMs.default(2_000)
    .describe("Interval of the store's tests, each a small write; paused without requests"),
  storeCheckMs: timerMs.default(3_600_000)
    .describe("Interval at which the whole file of a local store is checked for damage"),
  storeWaitMs: timerMs.default(4_000)
    .describe(
      "Time that a test, an operation of a remote store or the end of an answer waits for an unresponsive store; answers that end later are recorded once it responds",
    ),
  socketMs: timerMs.default(3_600_000)
    .describe("Maximum age of a WebSocket; calls in flight may end, and its client opens another"),
  accountSocketsMax: positiveInteger.default(1_000)
    .describe("Maximum number of open WebSockets of one account, in each isolate"),
  stopGraceMs: timerMs.default(30_000)
    .describe(
      "Time for requests in flight to finish after the server receives a stop signal; on Deno Deploy at most 2,500",
    ),
  notesHeaderBytesMax: positiveInteger.default(1_024)
    .describe(
      "Maximum size of the tessera-notes header, or of the same comment in a stream, in bytes",
    ),
  modelListRefreshMs: timerMs.default(600_000)
    .describe("Interval at which the models of upstreams with name patterns are listed"),
  modelListTimeoutMs: timerMs.default(30_000)
    .describe("Time limit for listing an upstream's models"),
  modelsListedMax: positiveInteger.default(5_000)
    .describe("Maximum number of models kept from an upstream's list"),
  keysCachedMax: positiveInteger.default(10_000)
    .describe("Maximum number of API keys in memory"),
  unknownKeysCachedMax: positiveInteger.default(10_000)
    .describe("Maximum number of unknown API keys remembered"),
  pageRowsMax: positiveInteger.default(200)
    .describe("Maximum number of rows on a page of a list"),
  logSearchMs: timerMs.default(600)
    .describe(
      "Time of one step of a search of the log that reads rows",
    ),
  logRetentionDays: positiveInteger.default(90)
    .describe("Retention of the request log"),
  webhookBytesMax: positiveInteger.default(mebibyte)
    .describe("The largest webhook of the payment service, in bytes"),
  paymentUsdMin: paymentUsd.default(5)
    .describe("The minimum payment, in USD"),
  paymentUsdMax: paymentUsd.default(1_000)
    .describe("The maximum payment, in USD"),
  paymentReconcileMinutes: z.int(must(minutesText)).min(1, must(minutesText))
    .max(10_080, must(minutesText)).default(10)
    .describe("Interval of checks for payments that no webhook has reported"),
  redemptionCodesMax: positiveInteger.default(10_000)
    .describe("Maximum number of redemption codes created at once"),
  alertRetentionDays: positiveInteger.default(90)
    .describe("Retention of alerts"),
  responseRetentionDays: positiveInteger.default(30)
    .describe("Retention of stored responses, and of conversations after their last use"),
  storedResponseBytesMax: positiveInteger.default(4 * mebibyte)
    .describe("Maximum stored size of one response, its own input and output, in bytes"),
  conversationBytesPerMinute: positiveInteger.default(16 * mebibyte)
    .describe(
      "Maximum number of bytes per minute that an account may add to conversations without a call, in each isolate",
    ),
  backgroundEventsBytesMax: positiveInteger.default(16 * mebibyte)
    .describe(
      "Maximum size of the stored events of a background response, in bytes; beyond it, its stream cannot be resumed",
    ),
  idempotentAnswerBytesMax: positiveInteger.default(mebibyte)
    .describe(
      "Maximum size of an answer that is stored for repetitions of its call with an Idempotency-Key, in bytes",
    ),
  idempotentAnswersMax: positiveInteger.default(10_000)
    .describe("Maximum number of such calls of an account in 24 hours whose answers are stored"),
  idempotentBytesMax: positiveInteger.default(256 * mebibyte)
    .describe("Maximum size of such answers of an account in 24 hours, in bytes"),
  idempotentWaitMs: timerMs.default(30_000)
    .describe(
      "Time that a repetition waits for the first call with its Idempotency-Key in another isolate or process",
    ),
  recordingDaysMax: positiveInteger.default(30)
    .describe(
      "Longest time for which an operator can record the contents of a key's or user's calls",
    ),
  recordedContentDays: positiveInteger.default(7)
    .describe("Retention of recorded contents of calls"),
  recordedBodyBytesMax: positiveInteger.default(256 * 1024)
    .describe(
      "Maximum size of a recorded request or answer without its base64, in bytes; of a longer one only the beginning is kept",
    ),
  recordedMemoryBytesMax: positiveInteger.default(64 * mebibyte)
    .describe(
      "Memory limit for the contents that wait for their recording, in bytes, in each isolate; contents beyond it are not recorded",
    ),
  sessionDays: positiveInteger.default(30)
    .describe("Lifetime of an unused console session"),
  setupLinkHours: positiveInteger.default(24)
    .describe("Lifetime of a set-up link"),
});

export type Limits = Readonly<z.infer<typeof limitsSchema>>;
