import { z } from "zod";
import { formatNames } from "../canonical/mod.ts";
import { budgetsMax, windowsMax } from "../store/money/budget.ts";
import { alertsSchema } from "./alerts.ts";
import { membersSchema } from "./chain.ts";
import { emailSchema } from "./email.ts";
import { formatPath } from "./fault.ts";
import {
  addressBlock,
  budgetPeriod,
  budgetUsd,
  callLogField,
  fieldListOf,
  flagField,
  id,
  keyValue,
  label,
  metricsToken,
  modelName,
  modelPattern,
  must,
  origin,
  pageOrigin,
  positiveInteger,
  ratio,
  rollingLength,
  strict,
  time,
  timeZone,
} from "./fields.ts";
import { limitsSchema } from "./limits.ts";
import { logArchiveSchema } from "./log_archive.ts";
import { priceSchema } from "./price.ts";
import { priceFeedSchema } from "./price_feed.ts";
import { signInSchema } from "./sign_in.ts";
import { upstreamSchema } from "./upstream.ts";

const modelSchema = strict({
  id: modelName.describe("The public name"),
  displayName: label.optional(),
  ownedBy: label.optional(),
  contextWindow: positiveInteger.optional().describe("In tokens"),
  maxOutputTokens: positiveInteger.optional(),
  price: priceSchema.optional().describe(
    "In USD per million tokens; absent: the catalog's price",
  ),
  members: membersSchema.optional().describe(
    "Makes it a virtual model: the models that answer its calls, in order",
  ),
});

const formatPattern = z.enum(
  ["*", ...formatNames],
  must(`"*" or one of ${formatNames.join(", ")}`),
);

/** One budget of an owner. */
export const budgetSchema = strict({
  usd: budgetUsd,
  period: budgetPeriod.describe(
    "day, week (from Monday), month, total (never resets), session (each session of a client), or a rolling length up to 9999m, 999h or 90d: 5h limits any 5 hours",
  ),
  timeZone: timeZone.optional().describe(
    "Time zone of its resets, which are at midnight; absent: the file's timeZone. Ignored for a rolling length",
  ),
});

const budgetText = 'a budget such as { "usd": 5, "period": "day" }, or a list of them';
/** One budget, or several with different periods, which all apply. */
const budgetsSchema = z.union(
  [
    budgetSchema,
    z.array(budgetSchema, must(budgetText)).max(budgetsMax, must(`at most ${budgetsMax} budgets`)),
  ],
  must(budgetText),
);

/** The most in any time of each length. */
const windowLimits = z.record(rollingLength, positiveInteger)
  .refine((limits) => Object.keys(limits).length <= windowsMax, `at most ${windowsMax} lengths`);

const callLimitsSchema = strict({
  requestsPerMinute: positiveInteger.optional(),
  tokensPerMinute: positiveInteger.optional(),
  requestsPerWindow: windowLimits.optional()
    .describe('Requests in any time of a length: { "5h": 1000, "7d": 5000 }'),
  tokensPerWindow: windowLimits.optional().describe("Tokens in any time of a length"),
  concurrency: positiveInteger.optional().describe("Maximum number of concurrent requests"),
});

const groupSchema = strict({
  id: id.describe("Name of the group, for the group field of keys"),
  models: fieldListOf(modelPattern, "models' names or patterns").default(["*"])
    .describe("Models that its keys may use"),
  formats: fieldListOf(formatPattern, "formats").default(["*"]).describe(
    "Formats that its keys may use",
  ),
  priceRatio: ratio.default(1).describe("Multiplier for its prices"),
  allowUnpriced: flagField.optional().describe("Allow its keys to use models without a price"),
  forMembers: flagField.optional().describe("Allow members to use the group for their keys"),
  budget: budgetsSchema.optional()
    .describe("Budgets of all its keys together; absent: none"),
  limits: callLimitsSchema.optional().describe("Rate limits of all its keys together"),
});

const keySchema = strict({
  name: label.describe("Name of the key. Limits and history belong to the name, not to the value"),
  value: keyValue.describe("The secret, best as ${NAME}"),
  group: id.default("default"),
  enabled: flagField.default(true),
  expiresAt: time.optional(),
  models: fieldListOf(modelPattern, "models' names or patterns").optional()
    .describe("Models that the key may use; absent: all of its group"),
  ipAllowList: fieldListOf(addressBlock, "addresses").optional()
    .describe("Addresses from which the key may be used; absent: any"),
  budget: budgetsSchema.optional()
    .describe("Budgets of the key; absent: none"),
  limits: callLimitsSchema.optional().describe("Its rate limits"),
});

const promptCharsMax = 16_384;
const promptText = `a text of 1 to ${promptCharsMax} characters`;

/** The request for a summary that a conversation can go on from. */
const usualCompactionPrompt = [
  "Summarize this conversation so that you can continue it from the summary alone: the messages before it will be removed.",
  "Write in the user's language, under these headings:",
  "1. Aims and constraints, in the user's own words.",
  "2. Decisions, with their reasons.",
  "3. State of the work: files, commands and results, with exact names, paths, numbers and identifiers.",
  "4. Failures, and what was tried.",
  "5. Open questions and next steps.",
  "Keep every fact that may be needed later. Invent nothing.",
].join("\n");

/** The configuration file. */
export const fileSchema = strict({
  $schema: z.string(must("a URL")).optional(),
  upstreams: fieldListOf(upstreamSchema, "upstreams").default([]),
  models: fieldListOf(modelSchema, "models").default([]),
  groups: fieldListOf(groupSchema, "groups").default([]),
  keys: fieldListOf(keySchema, "keys").default([]),
  timeZone: timeZone.default("UTC")
    .describe("Default time zone of budgets, which reset at its midnight"),
  alerts: alertsSchema.prefault({}).describe("Alerts about low budgets and balances"),
  email: emailSchema.optional()
    .describe(
      "Mail server for invitations, password links, alerts and the weekly report; absent: the console's settings",
    ),
  priceFeed: priceFeedSchema.prefault({}).describe("The list of prices for price proposals"),
  signIn: signInSchema.prefault({}).describe("Ways to sign in to the console"),
  limits: limitsSchema.prefault({}),
  logArchive: logArchiveSchema.optional()
    .describe("Archive for calls of past days; absent: they expire after logRetentionDays"),
  storeResponsesByDefault: flagField.default(true)
    .describe("Store responses whose request does not set `store`"),
  sockets: flagField.default(true)
    .describe("Open WebSockets at the address of the responses format"),
  compactionPrompt: z.string(must(promptText)).trim().min(1, must(promptText))
    .max(promptCharsMax, must(promptText)).default(usualCompactionPrompt)
    .describe("Prompt with which the gateway asks a model to summarize a conversation"),
  managedSettings: z.record(z.string(), z.json()).optional()
    .describe("Policy for Claude Code of people who signed in with /login; absent: none"),
  allowPrivateUpstreams: flagField.default(false)
    .describe("Allow upstreams added in the console to have private addresses"),
  allowMachineIdentity: flagField.default(false)
    .describe(
      "Allow upstreams added in the console to use the cloud identity of the gateway's machine",
    ),
  callLog: callLogField.default("off")
    .describe("json: write a line of JSON for each ended call to standard output"),
  metricsToken: metricsToken.optional()
    .describe("Opens /metrics to callers on other machines, best as ${NAME}; absent: nothing does"),
  publicUrl: origin.optional()
    .describe("Origin of the console in browsers; absent: the origin of each request"),
  trustedProxies: fieldListOf(addressBlock, "addresses").default([])
    .describe(
      "Proxies whose x-forwarded-for or forwarded header states the client's address; default: none",
    ),
  cors: strict({
    origins: fieldListOf(pageOrigin, "origins").default([])
      .describe(
        'Origins whose pages may call the API, such as https://app.example.com; "*" allows all',
      ),
  }).prefault({}).describe("Pages that may call the API from a browser; default: none"),
}).superRefine((file, context) => {
  for (const { path, message } of crossFaults(file)) {
    context.addIssue({ code: "custom", path: [...path], message });
  }
});

export type ConfigFile = z.infer<typeof fileSchema>;
export type GroupOfFile = z.infer<typeof groupSchema>;
export type KeyOfFile = z.infer<typeof keySchema>;

type Path = readonly (string | number)[];

interface Fault {
  readonly path: Path;
  readonly message: string;
}

/**
 * Reports faults that span several fields: duplicate names or periods, undeclared groups, inverted
 * bounds.
 */
function crossFaults(file: ConfigFile): Fault[] {
  const groups = ["default", ...file.groups.map((group) => group.id)];
  const unknownGroup = `must be a declared group: ${[...new Set(groups)].join(", ")}`;
  return [
    ...paymentFaults(file.limits),
    ...retentionFaults(file),
    ...repeated(["upstreams"], "id", file.upstreams.map((upstream) => upstream.id)),
    ...repeated(["models"], "id", file.models.map((model) => model.id)),
    ...repeated(["groups"], "id", file.groups.map((group) => group.id)),
    ...repeated(["signIn", "providers"], "id", file.signIn.providers.map((one) => one.id)),
    ...repeated(["keys"], "name", file.keys.map((key) => key.name)),
    ...repeated(["keys"], "value", file.keys.map((key) => key.value)),
    ...(["groups", "keys"] as const).flatMap((list) =>
      file[list].flatMap(({ budget = [] }, index) =>
        repeated([list, index, "budget"], "period", [budget].flat().map(({ period }) => period))
      )
    ),
    ...file.keys.flatMap(({ group }, index) =>
      groups.includes(group) ? [] : [{ path: ["keys", index, "group"], message: unknownGroup }]
    ),
    ...file.upstreams.flatMap((upstream, index) =>
      upstream.groups.flatMap((group, place) =>
        group === "*" || groups.includes(group)
          ? []
          : [{ path: ["upstreams", index, "groups", place], message: unknownGroup }]
      )
    ),
  ];
}

function paymentFaults({ paymentUsdMin, paymentUsdMax }: ConfigFile["limits"]): Fault[] {
  if (paymentUsdMin <= paymentUsdMax) return [];
  const message = "must not be below limits.paymentUsdMin";
  return [{ path: ["limits", "paymentUsdMax"], message }];
}

/** Days in which a bucket may be unreachable or the gateway stopped. */
const archiveLateDaysMax = 7;

/** Rows that were stored before there was an archive expire, and must reach it before. */
function retentionFaults({ limits: { logRetentionDays }, logArchive }: ConfigFile): Fault[] {
  if (!logArchive || logRetentionDays >= logArchive.keepDays + archiveLateDaysMax) return [];
  const message =
    `must be at least ${archiveLateDaysMax} days below limits.logRetentionDays, which is ${logRetentionDays}: calls from before the archive expire at that age`;
  return [{ path: ["logArchive", "keepDays"], message }];
}

function repeated(list: Path, field: string, values: readonly string[]): Fault[] {
  const firsts = new Map<string, number>();
  return values.flatMap((value, index) => {
    const first = firsts.getOrInsert(value, index);
    if (first === index) return [];
    const other = formatPath([...list, first, field]);
    return [{ path: [...list, index, field], message: `must differ from ${other}` }];
  });
}
