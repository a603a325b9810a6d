import { permits, playgroundKeyId } from "../../accounts/mod.ts";
import { hasHiddenAmounts, rollingIn } from "../../canonical/mod.ts";
import {
  type CalledEndpoint,
  calledEndpoint,
  type CalledWith,
  type RequestLogRow,
  type RequestOutcome,
} from "../../store/log/mod.ts";
import {
  type Verdict,
  type VerdictLanguage,
  type VerdictWords,
  verdictWordsEn,
  verdictWordsZhCn,
} from "../../verdict/mod.ts";
import type { Catalog, Locale } from "../i18n/mod.ts";
import { lengthText } from "../keys/budget_words.ts";
import type { AccountView } from "../page/view.ts";

type Limit = NonNullable<RequestLogRow["refusedBy"]>;

/** The reason of a failure, in a few words; undefined for a successful call. */
export function causeOf(
  { errorCode, refusedBy, refuser }: RequestLogRow,
  { catalog: { bounds, causes, logPage } }: Pick<AccountView, "catalog">,
): string | undefined {
  if (refusedBy) return logPage.limits.usedUp(limitWords(refusedBy, { logPage }));
  const known: Readonly<Record<string, string>> = causes;
  const cause = errorCode === undefined ? undefined : known[errorCode] ?? errorCode;
  return cause && refuser ? bounds.causedBy(cause, bounds.owner[refuser.owner](refuser.id)) : cause;
}

/** Returns true if an upstream answered after another one had failed. */
export function hasFailedOver({ outcome, attempts = [], upstreamId }: RequestLogRow): boolean {
  return outcome === "completed" && attempts.some((one) => one.upstreamId !== upstreamId);
}

/** Returns true if a text has a whole number, which is no part of another one. */
export function namesNumber(text: string, number: number): boolean {
  return text.match(/\d+(?:[.,]\d+)*/g)?.includes(String(number)) ?? false;
}

const verdictWords = {
  en: verdictWordsEn,
  "zh-CN": verdictWordsZhCn,
} as const satisfies Record<Locale, VerdictWords>;

/** The outcome of a call in the reader's language. */
export function verdictLanguage(view: AccountView): VerdictLanguage {
  const { catalog, formats, locale } = view;
  return {
    words: verdictWords[locale],
    money: formats.money,
    limitName: (limit) => limitWords(limit, catalog),
    refuserName: ({ owner, id }) => catalog.bounds.refuser[owner](id),
    limitAmount: (limit, amount) => limitAmount(limit, amount, view),
  };
}

/** The message of a failure, and its author if that is an upstream. */
interface Said {
  readonly message: string;
  readonly by?: string;
}

/**
 * The message of a failure. Only administrators see an upstream's message about the gateway's
 * credential.
 */
export function saidOf(
  { code, message, upstream }: Verdict,
  { may }: Pick<AccountView, "may">,
): Said | undefined {
  const hidden = code === "upstream_unauthorized" && !may("upstreams:write");
  if (message === undefined || hidden) return undefined;
  return { message, ...(upstream !== undefined && { by: upstream }) };
}

/** Translates the name of a limit, which `limitName` composed of its owner and its kind; with the owner's name. */
export function limitWords(
  { name, ownerId }: Pick<Limit, "name" | "ownerId">,
  { logPage }: Pick<AccountView["catalog"], "logPage">,
): string {
  const { limits } = logPage;
  const [owner, ...rest] = name.split(" ");
  const rolling = rollingIn({ name });
  const owners: Readonly<Record<string, string>> = limits.owner;
  const whats: Readonly<Record<string, string>> = limits.what;
  const what = rest.join(" ");
  const words = rolling
    ? limits.rolling[rolling.kind](lengthText(rolling, { logPage }))
    : whats[what];
  const named = limits.named(owners[owner] ?? owner, words ?? what);
  return ownerId === undefined ? named : limits.ofOwner(named, ownerId);
}

/** Returns true if a user may read the amounts of a limit. */
export function showsAmounts(limit: Limit, { role }: AccountView["user"]): boolean {
  return permits(role, "usage:read") || !hasHiddenAmounts(limit);
}

/** An amount of a limit in its own unit. */
export function limitAmount(
  { kind }: Pick<Limit, "kind">,
  amount: bigint,
  { formats }: Pick<AccountView, "formats">,
): string {
  return kind === "money" ? formats.money(amount) : formats.count(Number(amount));
}

/** Output tokens per second; undefined without tokens or time. */
export function tokensPerSecond(
  { stream, firstByteMs = 0, durationMs }: RequestLogRow,
  outputTokens: number,
): number | undefined {
  const answeringMs = stream ? durationMs - firstByteMs : durationMs;
  return outputTokens > 0 && answeringMs > 0 ? 1_000 * outputTokens / answeringMs : undefined;
}

/** The tried upstreams, in order, without immediate repetitions: `a → b`. */
export function chainOf({ attempts = [], upstreamId }: RequestLogRow): readonly string[] {
  const asked = attempts.map(({ upstreamId }) => upstreamId);
  const all = asked.length > 0 ? asked : upstreamId === undefined ? [] : [upstreamId];
  return all.filter((id, at) => id !== all[at - 1]);
}

/** The name of each endpoint in the reader's language. */
export function endpointNames(
  { units, endpoints }: Pick<Catalog, "units" | "endpoints">,
): Readonly<Record<CalledEndpoint, string>> {
  return { ...units.formats, ...endpoints };
}

/** The name of a call's endpoint in the reader's language. */
export function endpointName(
  catalog: Pick<Catalog, "units" | "endpoints">,
  call: CalledWith,
): string {
  return endpointNames(catalog)[calledEndpoint(call)];
}

const toneOf = {
  completed: "ok",
  truncated: "warn",
  upstream_error: "bad",
  client_gone: "off",
  timeout: "bad",
  refused: "bad",
} as const satisfies Record<RequestOutcome, "ok" | "warn" | "bad" | "off">;

/** The tone of a call's outcome, for the icon beside its status. */
export function callTone({ outcome }: { readonly outcome: RequestOutcome }) {
  return toneOf[outcome];
}

/** The address of the key that made a call; undefined for the playground's calls, which have none. */
export function keyPath({ keyId, accountId }: RequestLogRow): string | undefined {
  return keyId === playgroundKeyId(accountId) ? undefined : `/console/token/${keyId}`;
}

/** Client programs by the start of their user agent, such as `claude-cli/2.0.1 (external, cli)`. */
const names = {
  "claude-cli": "Claude Code",
  "codex_cli_rs": "Codex",
  "codex-cli": "Codex",
  "geminicli": "Gemini CLI",
  "openai/python": "OpenAI Python",
  "openai/js": "OpenAI JS",
  "asyncopenai/python": "OpenAI Python",
  "anthropic/python": "Anthropic Python",
  "asyncanthropic/python": "Anthropic Python",
  "anthropic/js": "Anthropic JS",
  "google-genai-sdk": "Google GenAI",
} as const satisfies Record<string, string>;

const lengthMax = 40;

/** The client program and its version; for an unknown program, the first word of the header. */
export function clientName(userAgent: string | undefined): string | undefined {
  const text = userAgent?.trim();
  if (!text) return undefined;
  for (const [start, name] of Object.entries(names)) {
    if (!text.toLowerCase().startsWith(start)) continue;
    const version = /^[/ ]v?(\d[\w.]*)/.exec(text.slice(start.length))?.[1];
    return version ? `${name} ${version}` : name;
  }
  const [word, version] = text.split(" ", 1)[0].split("/");
  return [word, version].filter((part) => part).join(" ").slice(0, lengthMax);
}
