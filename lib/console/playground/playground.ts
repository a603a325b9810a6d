import { type Context, HttpError } from "fresh";
import { clientAddress } from "../../admin/audit.ts";
import { modelRows } from "../../admin/models/model_rows.ts";
import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import type { CallGateway } from "../../gateway/console_call.ts";
import {
  type Offer,
  playgroundFormats,
  type PlaygroundSettings,
  type Receipt,
} from "../../playground/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { getRequestLog, type RequestLogRow } from "../../store/log/mod.ts";
import { getBalance } from "../../store/money/mod.ts";
import { tokensPerSecond } from "../calls/call_words.ts";
import { groupsOf } from "../groups/account_groups.ts";
import { startModel } from "../models/start_model.ts";
import { formatsFor } from "../page/format.ts";
import type { AccountState } from "../session/state.ts";

/** The groups that the account may call in. */
export async function playgroundGroups(
  { services: { store, directory }, account: { user } }: AccountState,
): Promise<readonly Group[]> {
  return groupsOf(user, await listApiKeys(store, { accountId: user.id }), directory);
}

/** The models that the account may call, with their groups and formats. */
export function offerOf(groups: readonly Group[], state: AccountState): Offer {
  const { services: { directory }, nowMs, catalog } = state;
  return {
    models: modelRows(groups, directory, nowMs)
      .map(({ id, groups, price }) => ({ id, groups, ...(price && { price }) })),
    groups: groups.map(({ id, formats }) => ({
      id,
      formats: playgroundFormats.filter((name) => formats.includes("*") || formats.includes(name)),
    })),
    formatNames: catalog.units.formats,
  };
}

/**
 * The model to start with: the one in the link if it is allowed, else the default of a first call.
 */
export function choicesOf(
  { choices }: PlaygroundSettings,
  { models }: Offer,
  state: AccountState,
): PlaygroundSettings["choices"] {
  const known = choices.filter(({ model }) => models.some(({ id }) => id === model));
  if (known.length > 0) return known;
  const model = startModel(models, state);
  return model === undefined ? [] : [{ model, groupId: "", format: "chat-completions" }];
}

/** True if the account cannot pay for a call. */
export async function isOutOfMoney(
  { services: { store }, account: { user } }: AccountState,
): Promise<boolean> {
  if (user.spending === "unlimited") return false;
  return (await getBalance(store, user.id)).balanceNanoUsd <= 0n;
}

/**
 * Calls the gateway for the account: posts `body` to a `path` of the API. Throws `HttpError` if the
 * group is not one of the account's, or if the console runs without a gateway.
 */
export async function callFromConsole(
  ctx: Pick<Context<AccountState>, "state" | "req" | "url" | "info">,
  { path, groupId, body }: {
    readonly path: string;
    readonly groupId: string;
    readonly body: BodyInit | null;
  },
): Promise<Response> {
  const { state, req, url } = ctx;
  const callGateway = state.services.callGateway ?? noGateway();
  const groups = await playgroundGroups(state);
  if (!groups.some(({ id }) => id === groupId)) throw new HttpError(403);
  const target = URL.parse(path, url.origin);
  if (!target) throw new HttpError(404);
  const request = new Request(target, {
    method: "POST",
    headers: requestHeaders(req.headers),
    body,
    signal: req.signal,
  });
  const payer = { type: "playground", accountId: state.account.user.id, groupId } as const;
  return await callGateway(request, { payer, ip: clientAddress(ctx) ?? "" });
}

function noGateway(): CallGateway {
  throw new HttpError(503);
}

/** The browser's User-Agent goes into the log; its cookies are not sent. */
function requestHeaders(headers: Headers): HeadersInit {
  const userAgent = headers.get("user-agent");
  return { "content-type": "application/json", ...(userAgent && { "user-agent": userAgent }) };
}

/** The receipt of one of the account's calls, from the log; undefined for an unknown id. */
export async function receiptOf(
  state: AccountState,
  requestId: string,
): Promise<Receipt | undefined> {
  const row = await getRequestLog(state.services.store, requestId);
  return row?.accountId === state.account.user.id ? receiptIn(row, state) : undefined;
}

function receiptIn(row: RequestLogRow, state: AccountState): Receipt {
  const { usage, costNanoUsd, durationMs, errorCode } = row;
  const { playground, errorRemedies } = state.catalog;
  const remedies: Readonly<Record<string, string>> = errorRemedies;
  const { count } = formatsFor(state);
  const remedy = errorCode === undefined ? undefined : remedies[errorCode];
  return {
    durationMs,
    ...(costNanoUsd !== undefined && { costNanoUsd: Number(costNanoUsd) }),
    figures: figuresOf(row, state),
    ...(usage && {
      tokens: playground.tokens(
        count(totalInputTokens(usage)),
        usage.cacheReadTokens > 0 ? count(usage.cacheReadTokens) : undefined,
        count(totalOutputTokens(usage)),
      ),
    }),
    ...(remedy && { remedy }),
  };
}

function figuresOf(row: RequestLogRow, state: AccountState): Receipt["figures"] {
  const { usage, costNanoUsd, durationMs, firstByteMs } = row;
  const { figures, notCharged, perSecond } = state.catalog.playground;
  const formats = formatsFor(state);
  const rate = usage && tokensPerSecond(row, totalOutputTokens(usage));
  const values = {
    firstByte: firstByteMs === undefined ? undefined : formats.span(firstByteMs),
    total: formats.span(durationMs),
    speed: rate && perSecond(formats.short(rate)),
    cost: costNanoUsd === undefined ? notCharged : formats.money(costNanoUsd),
  };
  return (["firstByte", "total", "speed", "cost"] as const).flatMap((name) => {
    const value = values[name];
    return value ? [{ name: figures[name], value }] : [];
  });
}
