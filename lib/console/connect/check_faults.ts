import type { KeyStatus } from "../../admin/keys/key_status.ts";
import type { ErrorCode } from "../../canonical/mod.ts";
import { lacksVersion, suggestedBaseUrl, typedTwice } from "../../http/suggested_base_url.ts";
import type { Arrival } from "../../store/api_keys/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";

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
type Failed = Arrival & { readonly errorCode: ErrorCode };
type Tell = (failed: Failed, scene: FindingScene) => Omit<Fault, "tone">;

/** The exact cause of a failed call. */
export function checkFaultOf(failed: Failed, scene: FindingScene): Fault {
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
