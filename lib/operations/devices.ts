import { authorize, type Caller, type PayerDirectory } from "../accounts/authorize.ts";
import {
  accessLifetimeMs,
  deviceCodeLifetimeMs,
  type DeviceFault,
  type DeviceTokens,
  firstTokens,
  refreshTokens,
  revokeDevice,
  startDevice,
} from "../accounts/mod.ts";
import { GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";
import { codecs } from "../formats/mod.ts";
import type { ApiInfo } from "../http/behind_proxies.ts";
import { discardBody, readTextBody, type TextLimits } from "../http/body/body.ts";
import { newRequestId } from "../http/call.ts";
import { errorResponse, gatewayErrorOf } from "../http/errors.ts";
import { carriedKey } from "../http/key_carrier.ts";
import { type KeySpending, keySpending, type OwnBudget, ownBudgets } from "../ledger/mod.ts";
import { digestOf, type Store } from "../store/mod.ts";
import type { CalendarPeriod } from "../store/money/mod.ts";

/** The services behind the sign-in of devices. */
export interface DeviceServices {
  readonly store: Store;
  readonly directory: PayerDirectory;
  /** The console's origin; absent: the origin at which the device asks. */
  readonly publicUrl?: string | undefined;
  /** The policy for Claude Code; absent if there is none. */
  readonly managedSettings?: JsonObject | undefined;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** Of the small forms that devices send. */
  readonly limits: Pick<TextLimits, "bodyTimeoutMs">;
  readonly now: () => number;
}

/** A device's request, and where it came from. */
interface Asked {
  readonly request: Request;
  readonly info: Pick<ApiInfo, "remoteAddr" | "askedOrigin">;
}

type Answer = (services: DeviceServices, asked: Asked) => Response | Promise<Response>;

/** The page on which a person confirms a code. */
const verificationPath = "/console/account/devices";
const pollSeconds = 5;
const formBytesMax = 16 * 1024;
const telemetryBytesMax = 16 * 1024 * 1024;
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * The endpoints of a sign-in by device code (RFC 8628, RFC 8414, RFC 7009), as `/login` of Claude
 * Code calls them.
 */
export const deviceEndpoints: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["GET /.well-known/oauth-authorization-server", (_, asked) => metadata(originOf(asked))],
  ["POST /oauth/device_authorization", startSignIn],
  ["POST /oauth/token", giveTokens],
  ["POST /oauth/revoke", revoke],
  ["GET /api/oauth/usage", answerBudgets],
  ["GET /managed/settings", answerPolicy],
  ["GET /protocol", () => new Response(protocol, markdown)],
  ["POST /v1/metrics", dropTelemetry],
  ["POST /v1/logs", dropTelemetry],
  ["POST /v1/traces", dropTelemetry],
]);

function originOf({ request, info }: Asked): string {
  return info.askedOrigin ?? new URL(request.url).origin;
}

function metadata(origin: string): Response {
  return say({
    issuer: origin,
    gateway_protocol_version: 1,
    device_authorization_endpoint: `${origin}/oauth/device_authorization`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    grant_types_supported: [deviceGrant, "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    response_types_supported: [],
  });
}

async function startSignIn(services: DeviceServices, asked: Asked): Promise<Response> {
  return await withForm(services, asked, async () => {
    const { deviceCode, userCode } = await startDevice(services.store, services.now());
    const page = `${services.publicUrl ?? originOf(asked)}${verificationPath}`;
    return say({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: deviceCodeLifetimeMs / 1_000,
      interval: pollSeconds,
    });
  });
}

async function giveTokens(services: DeviceServices, asked: Asked): Promise<Response> {
  return await withForm(services, asked, async (form) => {
    const deps = { ...services, nowMs: services.now() };
    switch (form.get("grant_type")) {
      case deviceGrant:
        return tokenAnswer(await firstTokens(deps, form.get("device_code") ?? ""));
      case "refresh_token":
        return tokenAnswer(await refreshTokens(deps, form.get("refresh_token") ?? ""));
      default:
        return refuse("unsupported_grant_type", `Send grant_type ${deviceGrant} or refresh_token`);
    }
  });
}

async function revoke(services: DeviceServices, asked: Asked): Promise<Response> {
  return await withForm(services, asked, async (form) => {
    await revokeDevice({ ...services, nowMs: services.now() }, form.get("token") ?? "");
    return say({});
  });
}

const faults: Readonly<Record<DeviceFault, string>> = {
  authorization_pending: "Nobody has confirmed the code yet",
  access_denied: "The sign-in was refused in the console",
  expired_token: "The code has expired. Sign in again",
  invalid_grant: "The sign-in has ended. Sign in again",
};

function tokenAnswer(result: DeviceTokens | DeviceFault): Response {
  if (typeof result === "string") {
    return refuse(result, faults[result], result === "invalid_grant" ? 401 : 400);
  }
  const { access, refresh, email } = result;
  return say({
    access_token: access,
    refresh_token: refresh,
    token_type: "Bearer",
    expires_in: accessLifetimeMs / 1_000,
    ...(email !== undefined && { email }),
  });
}

/** Reads a device's form. Refuses pages of other origins, which have nothing to ask here. */
async function withForm(
  { limits: { bodyTimeoutMs } }: DeviceServices,
  asked: Asked,
  answer: (form: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  const origin = asked.request.headers.get("origin");
  if (origin !== null && origin !== originOf(asked)) {
    return refuse("access_denied", "Pages of other sites cannot sign a device in", 403);
  }
  try {
    const limits = { bodyBytesMax: formBytesMax, bodyTimeoutMs };
    return await answer(new URLSearchParams(await readTextBody(asked.request, limits)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return refuse("invalid_request", error.message, error.status);
  }
}

/** The caller of a signed-in device's own request; else the error that makes it sign in. */
async function answerDevice(
  { directory, now }: DeviceServices,
  { request, info: { remoteAddr } }: Asked,
  answer: (caller: Caller) => Response | Promise<Response>,
): Promise<Response> {
  const ip = remoteAddr.transport === "tcp" ? remoteAddr.hostname : "";
  const nowMs = now();
  try {
    const secret = carriedKey(request.headers, new URL(request.url));
    return await answer(await authorize(secret, { ip, nowMs }, directory));
  } catch (thrown) {
    return errorResponse(gatewayErrorOf(thrown), codecs.messages, newRequestId(nowMs));
  }
}

/**
 * The budgets of the caller's own, and what this device spent, in cents. The client adds them to
 * the percentages of the headers, if the time of the reset is the same.
 */
function answerBudgets(services: DeviceServices, asked: Asked): Promise<Response> {
  const { store, timeZone, now } = services;
  return answerDevice(services, asked, async (caller) => {
    const nowMs = now();
    const [budgets, spent] = await Promise.all([
      ownBudgets(store, caller, { nowMs, timeZone }),
      keySpending(store, caller.key, nowMs),
    ]);
    const limits = budgets.map((budget, at) => budgetJson(budget, at === 0));
    return say({ extra_usage: usageJson(budgets[0], spent), limits });
  });
}

function usageJson(fullest: OwnBudget | undefined, spent: KeySpending): JsonObject {
  const used = fullest ? fullest.limitNanoUsd - fullest.remainingNanoUsd : spent.monthNanoUsd;
  return {
    is_enabled: true,
    monthly_limit: fullest ? centsOf(fullest.limitNanoUsd) : null,
    used_credits: centsOf(used),
    utilization: fullest ? percentOf(fullest) : null,
    currency: "USD",
    daily: { limit: null, used_credits: centsOf(spent.dayNanoUsd), utilization: null },
    weekly: { limit: null, used_credits: centsOf(spent.weekNanoUsd), utilization: null },
  };
}

const periodNames: Readonly<Record<string, string>> = {
  day: "daily",
  week: "weekly",
  month: "monthly",
} satisfies Partial<Record<CalendarPeriod, string>>;

function budgetJson(budget: OwnBudget, isActive: boolean): JsonObject {
  const { period = "", resetsAtMs, spentPart } = budget;
  return {
    kind: "spend",
    group: periodNames[period] ?? period,
    percent: percentOf(budget),
    resets_at: new Date(Math.ceil(resetsAtMs / 1_000) * 1_000).toISOString(),
    severity: spentPart >= 0.95 ? "critical" : spentPart >= 0.75 ? "warning" : "normal",
    is_active: isActive,
  };
}

function percentOf({ spentPart }: OwnBudget): number {
  return Math.floor(spentPart * 100);
}

function centsOf(nanoUsd: bigint): number {
  return Math.round(Number(nanoUsd) / 10_000_000);
}

/** The policy for a signed-in client, which computes the same checksum of the one that it has. */
function answerPolicy(services: DeviceServices, asked: Asked): Response | Promise<Response> {
  const { managedSettings: settings } = services;
  if (!settings) return refuse("not_found", "This gateway has no managed settings", 404);
  return answerDevice(services, asked, () => policyAnswer(settings, asked.request.headers));
}

function policyAnswer(settings: JsonObject, asked: Headers): Response {
  const digest = digestOf(sortedJson(settings));
  const checksum = `sha256:${digest}`;
  const headers = { etag: `"${checksum}"`, "cache-control": "no-store, no-transform" }; // compression would weaken it
  return asked.get("if-none-match") === headers.etag
    ? new Response(null, { status: 304, headers })
    : Response.json({ uuid: digest.slice(0, 32), checksum, settings }, { headers });
}

/** JSON with sorted members at every level and no spaces. */
function sortedJson(value: JsonObject): string {
  return JSON.stringify(
    value,
    (_, one) =>
      isJsonObject(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1))
        : one,
  );
}

/** Reads the body for the client's sake, and keeps nothing. */
function dropTelemetry(services: DeviceServices, asked: Asked): Promise<Response> {
  const { limits: { bodyTimeoutMs } } = services;
  const limits = { bodyBytesMax: telemetryBytesMax, bodyTimeoutMs };
  return answerDevice(services, asked, async () => {
    if (asked.request.body) await discardBody(asked.request.body, limits);
    return say({});
  });
}

function say(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

/** An error of RFC 6749. */
function refuse(error: string, description: string, status = 400): Response {
  return say({ error, error_description: description }, status);
}

const markdown = { headers: { "content-type": "text/markdown; charset=utf-8" } };

const protocol = `# Sign-in of this gateway

| request | answer |
| --- | --- |
| \`GET /.well-known/oauth-authorization-server\` | the addresses of the sign-in (RFC 8414) |
| \`POST /oauth/device_authorization\` | a code to confirm in the console (RFC 8628) |
| \`POST /oauth/token\` | an access token for an hour, and a refresh token that works once |
| \`POST /oauth/revoke\` | ends the device of a refresh token (RFC 7009) |
| \`POST /v1/messages\`, \`POST /v1/messages/count_tokens\`, \`GET /v1/models\` | the API, with the access token as \`Authorization: Bearer\` |
| \`GET /api/oauth/usage\` | the budgets that bind the signed-in user |
| \`GET /managed/settings\` | the policy for Claude Code; 404: there is none |
| \`POST /v1/metrics\`, \`/v1/logs\`, \`/v1/traces\` | 200; nothing is kept |

An access token acts as an API key of the user who confirmed the code. A refresh token that is used
twice ends the device. The end of a budget is answered with 429 and \`billing_error\`.
`;
