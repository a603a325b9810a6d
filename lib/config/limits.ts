import { z } from "zod";
import { must, positiveInteger, strict, timerMs } from "./fields.ts";

const mebibyte = 1024 * 1024;
/** What the payment service takes at most. */
const paymentUsdMost = 900_000;
const paymentText = `a whole number of USD from 1 to ${paymentUsdMost}`;
const minutesText = "a number of minutes from 1 to 10080";

const paymentUsd = z.int(must(paymentText)).min(1, must(paymentText))
  .max(paymentUsdMost, must(paymentText));

/** Every bound that the gateway has, under the name that its code calls it by. */
export const limitsSchema = strict({
  bodyBytesMax: positiveInteger.default(32 * mebibyte)
    .describe("The largest request body, in bytes"),
  formBytesMax: positiveInteger.default(26 * mebibyte)
    .describe("The largest form with a recording or pictures in it, in bytes"),
  bodyTimeoutMs: timerMs.default(60_000)
    .describe("How long a caller may take to send a request body"),
  nestingMax: positiveInteger.default(100)
    .describe("How deep the JSON of a request or of an upstream's answer may be nested"),
  containersMax: positiveInteger.default(100_000)
    .describe("How many objects and arrays the JSON of a request may hold"),
  membersMax: positiveInteger.default(250_000)
    .describe("How many members the objects in the JSON of a request may have in all"),
  answerContainersMax: positiveInteger.default(500_000)
    .describe(
      "How many objects and arrays an upstream's answer, or one event of it, may hold; as many members twice over",
    ),
  bodiesHeapPercent: positiveInteger.default(12)
    .describe(
      "How much memory the request bodies of calls in flight may take together, in percent of the JavaScript heap's limit",
    ),
  accountBodiesPercent: positiveInteger.default(50)
    .describe("How much of that one account's calls may take, in percent"),
  bodiesWaitMs: timerMs.default(2_000)
    .describe("How long a request waits for memory that other requests' bodies take"),
  unfundedBodyBytesMax: positiveInteger.default(mebibyte)
    .describe(
      "The largest request body of a caller without room in a limit, a budget or a balance, in bytes: small ones may be for a free model",
    ),
  silentBytesMax: positiveInteger.default(mebibyte)
    .describe(
      "How many bytes an upstream's stream may send without an event, such as comments and blank lines",
    ),
  answerBytesMax: positiveInteger.default(64 * mebibyte)
    .describe("The largest whole answer of an upstream, in bytes"),
  eventBytesMax: positiveInteger.default(16 * mebibyte)
    .describe("The largest single event of an upstream's stream, in bytes"),
  attemptsMax: positiveInteger.default(4)
    .describe("How many upstreams a request may try before its first byte"),
  attemptsDeadlineMs: timerMs.default(900_000)
    .describe("When a request stops trying further upstreams"),
  attemptsWaitMs: timerMs.default(5_000)
    .describe(
      "How long a request waits for upstreams that are paused, where no other is left",
    ),
  breakerFailuresMax: positiveInteger.default(5)
    .describe("How many failures in a row open an upstream's breaker"),
  breakerWindowMs: timerMs.default(30_000)
    .describe("How long failures are counted that do not come in a row"),
  breakerWindowFailuresMax: positiveInteger.default(20)
    .describe(
      "How many failures within that time open a breaker, when at least half of the calls failed",
    ),
  breakerOpenMs: timerMs.default(5_000)
    .describe(
      "How long a breaker is open before a call probes; twice as long after each failed probe",
    ),
  breakerOpenMsMax: timerMs.default(300_000)
    .describe("How long a breaker is open at most"),
  breakerCallsMax: positiveInteger.default(100)
    .describe(
      "How many calls at a time go to an upstream whose breaker is open, where no other is left; further ones fail",
    ),
  cooldownMs: timerMs.default(1_000)
    .describe(
      "How long an upstream is left alone that asks for fewer calls and names no time; twice as long each time in a row",
    ),
  cooldownMsMax: timerMs.default(60_000)
    .describe("How long it is left alone at most, whatever it names"),
  credentialOutMs: timerMs.default(60_000)
    .describe("How long a refused credential is left alone; twice as long each time in a row"),
  credentialOutMsMax: timerMs.default(3_600_000)
    .describe("How long a refused credential is left alone at most"),
  healthEntriesMax: positiveInteger.default(10_000)
    .describe("How many models of upstreams and credentials are watched at most"),
  moneyWaitMs: timerMs.default(15_000)
    .describe("How long a call waits for money that calls in flight may give back"),
  sseKeepAliveMs: timerMs.default(10_000)
    .describe("How often a waiting stream is kept alive"),
  answerTailMs: timerMs.default(10_000)
    .describe(
      "How long a streamed answer that has stated how it ended may take for its usage and its close",
    ),
  storeProbeMs: timerMs.default(2_000)
    .describe("How often the store is probed by a small write"),
  storeCheckMs: timerMs.default(3_600_000)
    .describe("How often the whole file of a local store is read to find damage"),
  storeWaitMs: timerMs.default(5_000)
    .describe(
      "How long a probe and the end of an answer wait for a store that does not answer; what waits longer is recorded once it does",
    ),
  stopGraceMs: timerMs.default(30_000)
    .describe("How long requests in flight may go on after the server is told to stop"),
  notesHeaderBytesMax: positiveInteger.default(1_024)
    .describe("The largest tessera-notes header, or comment of a stream, in bytes"),
  modelListRefreshMs: timerMs.default(600_000)
    .describe("How often an upstream that serves patterns of names is asked which models it has"),
  modelListTimeoutMs: timerMs.default(30_000)
    .describe("How long it may take to list them"),
  modelsListedMax: positiveInteger.default(5_000)
    .describe("How many models of such a list are kept"),
  keysCachedMax: positiveInteger.default(10_000)
    .describe("How many API keys stay in memory"),
  unknownKeysCachedMax: positiveInteger.default(10_000)
    .describe("How many wrong API keys are remembered as such"),
  pageRowsMax: positiveInteger.default(200)
    .describe("The most rows that one page of a list shows"),
  logRetentionDays: positiveInteger.default(90)
    .describe("How long the log of requests is kept"),
  webhookBytesMax: positiveInteger.default(mebibyte)
    .describe("The largest webhook of the payment service, in bytes"),
  paymentUsdMin: paymentUsd.default(5)
    .describe("The smallest payment, in USD"),
  paymentUsdMax: paymentUsd.default(1_000)
    .describe("The largest payment, in USD"),
  paymentReconcileMinutes: z.int(must(minutesText)).min(1, must(minutesText))
    .max(10_080, must(minutesText)).default(10)
    .describe("How often payments are looked for that no webhook has told of"),
  redemptionCodesMax: positiveInteger.default(10_000)
    .describe("The most redemption codes that are made at once"),
  alertRetentionDays: positiveInteger.default(90)
    .describe("How long alerts are kept"),
  responseRetentionDays: positiveInteger.default(30)
    .describe("How long stored responses are kept, and conversations after their last use"),
  storedResponseBytesMax: positiveInteger.default(4 * mebibyte)
    .describe("What is stored of one response at most, its own input and output, in bytes"),
  conversationBytesPerMinute: positiveInteger.default(16 * mebibyte)
    .describe(
      "How many bytes an account may add to conversations in a minute beside its calls, in each isolate",
    ),
  backgroundEventsBytesMax: positiveInteger.default(16 * mebibyte)
    .describe("How many bytes of events of one background response can be resumed"),
  sessionDays: positiveInteger.default(30)
    .describe("How long a sign-in to the console lasts without use"),
  setupLinkHours: positiveInteger.default(24)
    .describe("How long a set-up link can be used"),
});

export type Limits = Readonly<z.infer<typeof limitsSchema>>;
