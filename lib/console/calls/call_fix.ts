import { type Refuser, refuserPath } from "../../canonical/mod.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";
import type { Verdict } from "../../verdict/mod.ts";
import { setPricePath } from "../models/model_list.ts";
import type { AccountView } from "../page/view.ts";

/** The remedy of a failure: a page or a form of the console, and who may use it. */
export interface CallFix {
  readonly name: keyof AccountView["catalog"]["callFailure"]["fixes"];
  readonly href: string;
  /** The model to post to `href`, for a fix that one click makes; absent for a link. */
  readonly model?: string;
  /** The upstream that the fix is about. */
  readonly upstream?: string;
  /** True for the settings of the gateway: the reader's role decides. */
  readonly isAdministrators: boolean;
}

/** Upstreams in the place of those that failed, by what they serve now. */
export interface OtherUpstreams {
  /** They serve the model too. */
  readonly serving: readonly string[];
  /** They are enabled, and do not serve the model. */
  readonly others: readonly string[];
  /** One of these whose vendor lists the model. */
  readonly lister?: string;
  /** True if the model has a price, so that the lister can serve it without a further choice. */
  readonly isPriced?: boolean;
}

type Code = Verdict["code"];

/** Failures of an upstream that another upstream would have answered. */
const failsOver: ReadonlySet<Code> = new Set<Code>([
  "rate_limit_exceeded",
  "upstream_overloaded",
  "upstream_timeout",
  "upstream_unreachable",
  "upstream_truncated",
  "upstream_error",
  "upstream_invalid_response",
  "no_upstream",
]);

/** The one step that ends a failure; undefined if the request itself has to change. */
export function fixOf(
  call: RequestLogRow,
  verdict: Verdict,
  upstreams: OtherUpstreams | undefined,
): CallFix | undefined {
  const { code, limit, refuser } = verdict;
  if (refuser && (limit || isRule(code))) return ownerFix(refuser, call);
  if (verdict.upstream !== undefined) {
    const own = upstreamFix(verdict.code, verdict.upstream);
    if (own) return own;
  }
  if (failsOver.has(verdict.code)) return fallbackFix(call, upstreams);
  return verdict.upstream === undefined ? gatewayFix(verdict.code, call) : undefined;
}

/** Returns true for a refusal by a rule that an owner has set. */
function isRule(code: Code): boolean {
  return code === "model_not_allowed" || code === "format_not_allowed";
}

/** The change of the owner's limits or rules. */
function ownerFix(refuser: Refuser, { keyId }: RequestLogRow): CallFix {
  const href = refuserPath(refuser, keyId);
  switch (refuser.owner) {
    case "key":
    case "session":
    case "child": // both have a budget by their key
      return forAll("editKey", `${href}/edit`);
    case "wallet":
      return forAll("addFunds", href);
    default:
      return forAdministrators(ownerFixes[refuser.owner], href);
  }
}

const ownerFixes = {
  group: "editGroup",
  account: "editUser",
  project: "editProject",
  organization: "editOrganization",
  tag: "editTag",
  provider: "openUpstream",
} as const satisfies Partial<Record<Refuser["owner"], CallFix["name"]>>;

function upstreamFix(code: Code, upstream: string): CallFix | undefined {
  const path = upstreamPath(upstream);
  if (code === "upstream_unauthorized") return forAdministrators("replaceCredential", path);
  if (code === "insufficient_quota") return forAdministrators("openUpstream", path);
  if (code === "model_not_found") return forAdministrators("editModels", `${path}/models`);
  return undefined;
}

/** Another upstream for the model; undefined if it has one already. */
function fallbackFix(
  { model }: RequestLogRow,
  upstreams: OtherUpstreams | undefined,
): CallFix | undefined {
  if (upstreams && upstreams.serving.length > 0) return undefined;
  const upstream = upstreams?.lister;
  if (upstream === undefined) {
    return forAdministrators("addUpstream", "/console/admin/upstreams/new");
  }
  if (upstreams?.isPriced) {
    return { ...forAdministrators("addFallback", fallbackPath(upstream)), upstream, model };
  }
  return { ...forAdministrators("addFallback", `${upstreamPath(upstream)}/import`), upstream };
}

/** The form that lets an upstream serve a model. */
export function fallbackPath(upstream: string): string {
  return `${upstreamPath(upstream)}/fallback`;
}

function upstreamPath(upstream: string): string {
  return `/console/admin/upstreams/${encodeURIComponent(upstream)}`;
}

function gatewayFix(code: Code, call: RequestLogRow): CallFix | undefined {
  switch (code) {
    case "model_unpriced":
    case "tier_unpriced":
      return forAdministrators("setPrice", setPricePath(call.model));
    case "ip_not_allowed":
      return forAll("editKey", `/console/token/${call.keyId}/edit`);
    case "insufficient_quota":
      return forAll("addFunds", "/console/topup");
    case "model_not_found":
    case "endpoint_not_served":
      return forAll("chooseModel", "/console/pricing");
    default:
      return undefined;
  }
}

function forAll(name: CallFix["name"], href: string): CallFix {
  return { name, href, isAdministrators: false };
}

function forAdministrators(name: CallFix["name"], href: string): CallFix {
  return { name, href, isAdministrators: true };
}
