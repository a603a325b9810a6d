import type { KeyStatus } from "../../admin/keys/key_status.ts";
import type { ErrorCode, FormatName } from "../../canonical/mod.ts";
import { lacksVersion, suggestedBaseUrl, typedTwice } from "../../http/suggested_base_url.ts";
import { type ArrivedCall, isAnswer } from "../../store/api_keys/mod.ts";
import { endpointName } from "../calls/call_words.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";

/** The User-Agent of the console's own checks. */
export const consoleUserAgent = "Tessera console";

/** The data of a live check. */
export interface CheckView {
  readonly connected: boolean;
  readonly findings: readonly Finding[];
}

const findingsMax = 4;

/**
 * The findings from a key's arrivals, latest first. After an answered call, only that call and
 * later ones.
 */
export function checkView(arrivals: readonly ArrivedCall[], scene: FindingScene): CheckView {
  const answered = arrivals.findLastIndex((one) => isAnswer(one) && one.carried === "key");
  const shown = arrivals.slice(Math.max(0, answered)).toReversed();
  return {
    connected: answered >= 0,
    findings: shown.slice(0, findingsMax).map((arrival) => findingOf(arrival, scene)),
  };
}

/** The finding from one arrival, with its remedy. */
export function findingOf(arrival: ArrivedCall, scene: FindingScene): Finding {
  const { id, method, path, atMs, userAgent } = arrival;
  const client = userAgent === undefined ? [] : [userAgent.split(" ", 1)[0]];
  const request = [`${method} ${path}`, ...client].join(" · ");
  const came = scene.catalog.check.came(request, scene.formats.moment(atMs));
  return { id, came, ...meaningOf(arrival, scene) };
}

type Meaning = Omit<Finding, "id" | "came">;

function meaningOf(arrival: ArrivedCall, scene: FindingScene): Meaning {
  const forced = forcedFormat(arrival);
  if (forced) return forcedMeaning(forced, arrival, scene.catalog);
  return arrival.errorCode === undefined
    ? successOf(arrival, scene.catalog)
    : checkFaultOf({ ...arrival, errorCode: arrival.errorCode }, scene);
}

function forcedMeaning(
  { client, format }: { readonly client: string; readonly format: FormatName },
  arrival: ArrivedCall,
  { check, units }: Catalog,
): Meaning {
  return {
    tone: "bad",
    title: check.forced(client, units.formats[arrival.format]),
    text: check.forcedText(units.formats[format]),
  };
}

function successOf(arrival: ArrivedCall, catalog: Catalog): Meaning {
  const { check } = catalog;
  const { carried, keyName = "", model = "", operation } = arrival;
  if (carried === "other-key") {
    return { tone: "note", title: check.otherKey(keyName), text: check.otherKeyText };
  }
  if (isAnswer(arrival)) {
    const title = check.answered(model, endpointName(catalog, arrival));
    const isOwn = arrival.userAgent === consoleUserAgent;
    return { tone: "ok", title, text: isOwn ? check.ownCallText : check.answeredText };
  }
  const listed = operation === "list-models" || operation === "get-model";
  return {
    tone: "note",
    title: listed ? check.listed : check.otherAsked,
    text: check.listedText,
  };
}

/**
 * One finding of a check, in the reader's language. Plain data, because it is also sent to the
 * browser.
 */
export interface Finding {
  readonly id: string;
  readonly tone: "ok" | "bad" | "note";
  readonly title: string;
  readonly text: string;
  /** A text to copy, such as the correct base URL. */
  readonly value?: string;
  readonly link?: { readonly href: string; readonly text: string };
  /** An arrival and its time. */
  readonly came?: string;
}

/** The key that a check is about. */
export interface CheckedKey {
  readonly id: string;
  readonly name: string;
  readonly status: KeyStatus;
}

/** The languages and formats for a finding's text. */
export interface FindingScene {
  readonly key: CheckedKey;
  readonly origin: string;
  readonly catalog: Catalog;
  readonly formats: Formats;
}

const unusable = ["disabled", "expired", "groupless"] as const satisfies readonly KeyStatus[];

/** The reason why the gateway refuses all calls with a key; undefined for a usable key. */
export function whyUnusable(
  { status }: Pick<CheckedKey, "status">,
): typeof unusable[number] | undefined {
  return unusable.find((one) => one === status);
}

type Fault = Omit<Finding, "id" | "came">;
type Failed = ArrivedCall & { readonly errorCode: ErrorCode };
type Tell = (failed: Failed, scene: FindingScene) => Omit<Fault, "tone">;

/** The exact cause of a failed call. */
function checkFaultOf(failed: Failed, scene: FindingScene): Fault {
  const tell: Tell = tellings[failed.errorCode] ?? otherFault;
  const tone = failed.errorCode === "websocket_unsupported" ? "note" : "bad";
  return { tone, ...tell(failed, scene) };
}

const tellings: Readonly<Partial<Record<ErrorCode, Tell>>> = {
  duplicated_path_segment: ({ path }, { catalog: { check }, origin }) => {
    const typed = typedTwice(origin, path);
    return {
      title: check.doubled(path),
      text: typed === undefined ? check.doubledText : check.doubledVersion(typed),
      value: suggestedBaseUrl(origin, path) ?? `${origin}/v1`,
    };
  },
  unknown_endpoint: ({ path, format }, { catalog: { check }, origin }) => {
    const isShort = lacksVersion(path);
    return {
      title: isShort ? check.unversioned(path) : check.unknownPath(path),
      text: isShort ? check.doubledText : check.unknownPathText,
      value: suggestedBaseUrl(origin, path) ?? (format === "messages" ? origin : `${origin}/v1`),
    };
  },
  method_not_allowed: ({ method, path, message }, { catalog: { check, errorRemedies } }) => ({
    title: check.method(method, path),
    text: message ?? errorRemedies.method_not_allowed,
  }),
  websocket_unsupported: (_, { catalog: { check } }) => ({
    title: check.websocket,
    text: check.websocketText,
  }),
  invalid_api_key: keyFault,
  ip_not_allowed: (_, { catalog: { check }, key }) => ({
    title: check.address(key.name),
    text: check.addressText,
    link: { href: `/console/token/${key.id}/edit`, text: check.openKey },
  }),
  model_not_allowed: ({ model = "" }, scene) => modelFault("modelNotAllowed", model, scene),
  model_not_found: ({ model = "" }, scene) => modelFault("modelNotFound", model, scene),
  format_not_allowed: ({ format }, { catalog: { check, units } }) => ({
    title: check.formatNotAllowed(units.formats[format]),
    text: check.formatText,
  }),
  insufficient_quota: ({ limit = "" }, { catalog: { check } }) =>
    limit.endsWith(" balance")
      ? {
        title: check.emptyWallet,
        text: check.emptyWalletText,
        link: { href: "/console/topup", text: check.addFunds },
      }
      : { title: check.budget(limit || check.anyLimit), text: check.budgetText },
  rate_limit_exceeded: ({ limit }, { catalog: { check } }) => ({
    title: check.rate(limit ?? check.anyLimit),
    text: check.rateText,
  }),
};

function keyFault({ carried }: Failed, scene: FindingScene): Omit<Fault, "tone"> {
  const { catalog: { check }, key } = scene;
  switch (carried) {
    case "none":
      return { title: check.noKey, text: check.noKeyText };
    case "placeholder":
      return { title: check.placeholder, text: check.placeholderText };
    case "lookalike":
      return { title: check.lookalike(key.name), text: check.lookalikeText };
    case "unknown":
      return { title: check.unknownKey, text: check.unknownKeyText };
    case "key":
    case "other-key":
      return unusableKey(scene);
    default:
      return carried satisfies never;
  }
}

function unusableKey({ catalog: { check }, key }: FindingScene): Omit<Fault, "tone"> {
  const why = whyUnusable(key);
  return {
    title: why === undefined ? check.refused : check[why](key.name),
    text: check.keyText,
    link: { href: `/console/token/${key.id}`, text: check.openKey },
  };
}

function modelFault(
  which: "modelNotAllowed" | "modelNotFound",
  model: string,
  { catalog: { check } }: FindingScene,
): Omit<Fault, "tone"> {
  return {
    title: check[which](model),
    text: check.modelText,
    link: { href: "/console/pricing", text: check.models },
  };
}

/** The fault from the table of remedies, with the gateway's message if there is one. */
function otherFault(
  { id, errorCode, message, model }: Failed,
  { catalog: { check, errorRemedies } }: FindingScene,
): Omit<Fault, "tone"> {
  const title = errorCode === "client_closed"
    ? check.gone
    : errorCode.startsWith("upstream_") || errorCode === "no_upstream"
    ? check.upstream
    : check.refused;
  const said = message === undefined ? "" : `${message}. `;
  return {
    title,
    text: `${said}${errorRemedies[errorCode]}`,
    ...(model !== undefined && { link: { href: `/console/log/${id}`, text: check.openCall } }),
  };
}

/** Agents that are built for one format, by their `User-Agent`. */
const agents = [
  { client: "Codex", pattern: /^codex/i, format: "responses" },
  { client: "Claude Code", pattern: /^claude-cli/i, format: "messages" },
  { client: "Gemini CLI", pattern: /^GeminiCLI/i, format: "generate-content" },
] as const satisfies readonly {
  readonly client: string;
  readonly pattern: RegExp;
  readonly format: FormatName;
}[];

/** The agent that was forced to use another format than its own; undefined for other clients. */
function forcedFormat(
  { userAgent = "", operation, format }: Pick<ArrivedCall, "userAgent" | "operation" | "format">,
): { readonly client: string; readonly format: FormatName } | undefined {
  if (operation !== "generate") return undefined;
  return agents.find((agent) => agent.pattern.test(userAgent) && agent.format !== format);
}
