import { type Context, HttpError } from "fresh";
import { clientAddress } from "../../admin/audit.ts";
import { modelRows } from "../../admin/models/model_rows.ts";
import { totalInputTokens, totalOutputTokens } from "../../canonical/mod.ts";
import type { CallGateway } from "../../gateway/console_call.ts";
import {
  type AssistantReply,
  dialects,
  endedReply,
  extendedReply,
  failedReply,
  fieldNames,
  type Fields,
  fieldsOf,
  type Lane,
  newReply,
  parsedJson,
  playgroundFormats,
  type PlaygroundOffer,
  type PlaygroundSettings,
  possibleChoice,
  problemOf,
  promptTurns,
  readAnswerStream,
  readFields,
  readPlaygroundSettings,
  type Receipt,
  withTurn,
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
export function offerOf(groups: readonly Group[], state: AccountState): PlaygroundOffer {
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
function choicesOf(
  { choices }: PlaygroundSettings,
  { models }: PlaygroundOffer,
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

/** The initial values of the playground. */
export interface OpenedPlayground {
  readonly fields: Fields;
  readonly lanes: readonly Lane[];
  /** The text of the message field. */
  readonly prompt: string;
}

/** The page that a link describes. */
export function openedBy(
  link: URLSearchParams,
  offer: PlaygroundOffer,
  state: AccountState,
): OpenedPlayground {
  const settings = readPlaygroundSettings(link);
  const choices = choicesOf(settings, offer, state);
  const lanes = choices.map((choice) => ({ choice: possibleChoice(choice, offer), turns: [] }));
  return { fields: fieldsOf(settings), lanes, prompt: "" };
}

/** The page after a form was posted without a script: one message and its complete answer. */
export async function answered(
  ctx: Pick<Context<AccountState>, "state" | "req" | "url" | "info">,
  form: URLSearchParams,
  offer: PlaygroundOffer,
): Promise<OpenedPlayground> {
  const fields: Fields = {
    ...fieldsOf(readPlaygroundSettings(form)),
    ...Object.fromEntries(fieldNames.map((name) => [name, form.get(name) ?? ""])),
    stream: false,
  };
  const prompt = form.get("prompt") ?? "";
  const { lanes: [lane] } = openedBy(form, offer, ctx.state);
  const { values } = readFields(fields);
  if (!values || !lane || prompt.trim() === "") {
    return { fields, lanes: lane ? [lane] : [], prompt };
  }
  const { model, format } = lane.choice;
  const asked = withTurn(lane, { role: "user", id: 1, text: prompt, attachments: [] });
  const turns = promptTurns(asked.turns, format);
  const request = dialects[format].request({ model, turns, ...values });
  const reply = await replyTo(ctx, newReply(asked, { id: 2, request }), lane.choice.groupId);
  return { fields, lanes: [withTurn(asked, reply)], prompt: "" };
}

async function replyTo(
  ctx: Pick<Context<AccountState>, "state" | "req" | "url" | "info">,
  begun: AssistantReply,
  groupId: string,
): Promise<AssistantReply> {
  const { path, body } = begun.request;
  const response = await callFromConsole(ctx, { path, groupId, body: JSON.stringify(body) });
  const requestId = response.headers.get("x-request-id") ?? "";
  let reply: AssistantReply = { ...begun, requestId };
  if (response.ok) {
    for await (const read of readAnswerStream(response, dialects[begun.format])) {
      reply = extendedReply(reply, read);
    }
    reply = endedReply(reply);
  } else {
    const raw = await response.text();
    const retryAfter = response.headers.get("retry-after");
    const problem = problemOf(parsedJson(raw), { status: response.status, retryAfter });
    reply = failedReply({ ...reply, raw }, problem);
  }
  const receipt = await receiptOf(ctx.state, requestId);
  return { ...reply, ...(receipt && { receipt }) };
}
