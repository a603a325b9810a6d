import { type Context, HttpError, page, type PageResponse } from "fresh";
import {
  admitIdentity,
  isOwnIdentity,
  linkIdentity,
  noteProof,
  signedInAs,
  type SsoArrival,
  SsoError,
  type SsoFailure,
  type SsoFlow,
  type SsoPurpose,
  type SsoRefusal,
} from "../../accounts/mod.ts";
import type { SignInProvider } from "../../config.ts";
import { logLine } from "../../telemetry/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { publicOrigin, seeOther } from "../page/address.ts";
import { flowCookie } from "../session/cookies.ts";
import type { ConsoleState, SignedInAccount } from "../session/state.ts";
import { ownEntry } from "./own_entry.ts";
import { signedIn, signInFrom } from "./sign_in_answer.ts";

/** The reasons why a sign-in at a provider came to nothing. */
type SsoProblem = SsoFailure | SsoRefusal;

/** A provider on a button. */
export type ProviderLink = Pick<SignInProvider, "id" | "name">;

/** The data of the page that continues to a provider. */
export interface LeavingData {
  readonly name: string;
  readonly url: string;
  /** The path to return to after a change of theme or language. */
  readonly back: string;
}

/** The part of a request that a sign-in at a provider needs. */
type PageContext = Pick<Context<ConsoleState>, "req" | "url" | "state">;

interface Start {
  readonly providerId: string;
  readonly purpose: SsoPurpose;
  /** The path to continue to after the provider. */
  readonly next: string;
}

/** The longest path that still fits in the cookie of a flow, twice encoded. */
const nextCharsMax = 1_000;

/** Redirects the browser to a provider, or back to the sign-in page if that fails. */
export async function redirectToProvider(
  ctx: PageContext,
  start: Start,
): Promise<Response> {
  const begun = await begin(ctx, start);
  return begun instanceof Response ? begun : seeOther(begun.url);
}

/**
 * Answers a form with a page that continues to a provider by a `refresh`, because the content
 * security policy forbids forms that redirect to another site.
 */
export async function leaveForProvider(
  ctx: PageContext,
  start: Start & { readonly back: string },
): Promise<Response | PageResponse<LeavingData>> {
  const begun = await begin(ctx, start);
  if (begun instanceof Response) return begun;
  const headers = { refresh: `0; url=${begun.url}` };
  return page<LeavingData>({ ...begun, back: start.back }, { headers });
}

async function begin(
  ctx: PageContext,
  { providerId, purpose, next: wanted }: Start,
): Promise<Response | { readonly url: string; readonly name: string }> {
  const { state: { services: { sso, store }, nowMs, cookies }, url } = ctx;
  const provider = providerAt(ctx, providerId);
  const next = wanted.length <= nextCharsMax ? wanted : "/console";
  const redirectUri = `${publicOrigin(ctx)}/login/sso/${provider.id}/callback`;
  try {
    const draft = { provider: provider.id, purpose, next, redirectUri };
    const begun = await sso.begin({ store, nowMs }, draft);
    flowCookie.write(cookies, url, begun.sealed);
    return { url: begun.url, name: provider.name };
  } catch (error) {
    return problemPage({ purpose, next }, provider, ssoFailure(error, provider));
  }
}

/** Throws `HttpError` 404 if the configuration has no such provider. */
function providerAt(
  { state: { services: { sso } } }: Pick<PageContext, "state">,
  id: string,
): SignInProvider {
  const provider = sso.provider(id);
  if (provider === undefined) throw new HttpError(404);
  return provider;
}

/**
 * Returns the kind of a failure, and logs its reason if the operator can do something about it.
 * Throws other errors.
 */
function ssoFailure(error: unknown, { id }: SignInProvider): SsoFailure {
  if (!(error instanceof SsoError)) throw error;
  if (error.failure === "cancelled" || error.failure === "expired") return error.failure;
  logLine("warn", "A sign-in at a provider failed", {
    provider: id,
    failure: error.failure,
    reason: error.message,
  });
  return error.failure;
}

/** Redirects to the page where the sign-in was started, which shows the problem. */
function problemPage(
  { purpose, next }: { readonly purpose: SsoPurpose; readonly next: string },
  { id }: ProviderLink,
  problem: SsoProblem,
): Response {
  const fields = { sso: problem, provider: id };
  const isSignIn = purpose.type === "sign-in";
  if (isSignIn) return seeOther(`/login?${new URLSearchParams({ ...fields, next })}`);
  return seeOther(`${next}${next.includes("?") ? "&" : "?"}${new URLSearchParams(fields)}`);
}

/** The problem that `problemPage` has put into the address, in the reader's language. */
export function ssoProblem(
  { searchParams }: URL,
  { catalog, services: { sso } }: Pick<ConsoleState, "catalog" | "services">,
): string | undefined {
  const problem = searchParams.get("sso") ?? "";
  const provider = sso.provider(searchParams.get("provider") ?? "");
  const { problems } = catalog.security.sso;
  if (provider === undefined || !isProblem(problem, problems)) return undefined;
  return problems[problem](provider.name);
}

function isProblem(
  text: string,
  texts: Catalog["security"]["sso"]["problems"],
): text is SsoProblem {
  return Object.hasOwn(texts, text);
}

type Ctx = Context<ConsoleState>;

/** Takes the browser back from a provider: signs in, links the identity, or notes the proof. */
export async function ssoCallback(ctx: Ctx): Promise<Response> {
  const provider = providerAt(ctx, ctx.params.provider);
  const response = await finish(ctx, provider);
  flowCookie.forget(response.headers, ctx.url);
  return response;
}

async function finish(ctx: Ctx, provider: SignInProvider): Promise<Response> {
  const flow = await openFlow(ctx, provider);
  if (flow instanceof Response) return flow;
  try {
    const { sso } = ctx.state.services;
    const identity = await sso.identify(flow, ctx.url.searchParams);
    const draft: SsoArrival["draft"] = (user, entry) => ownEntry(ctx, user, entry);
    return await arrive(ctx, flow, { provider, providers: sso.providers, identity, draft });
  } catch (error) {
    return problemPage(flow, provider, ssoFailure(error, provider));
  }
}

async function openFlow(ctx: Ctx, provider: SignInProvider): Promise<SsoFlow | Response> {
  const { req, url, state: { services: { sso, store }, nowMs } } = ctx;
  try {
    return await sso.open({ store, nowMs }, provider.id, flowCookie.read(req.headers, url) ?? "");
  } catch (error) {
    const failure = ssoFailure(error, provider);
    return problemPage({ purpose: { type: "sign-in" }, next: "/console" }, provider, failure);
  }
}

async function arrive(ctx: Ctx, flow: SsoFlow, arrival: SsoArrival): Promise<Response> {
  const { type } = flow.purpose;
  switch (type) {
    case "sign-in":
      return await signInWith(ctx, flow, arrival);
    case "link":
      return await link(ctx, flow, arrival);
    case "prove":
      return await prove(ctx, flow, arrival);
    default:
      return type satisfies never;
  }
}

async function signInWith(ctx: Ctx, flow: SsoFlow, arrival: SsoArrival): Promise<Response> {
  const { url, state: { services, settings, nowMs } } = ctx;
  const admission = await admitIdentity({ ...services, settings, nowMs }, arrival);
  if (admission.type === "refused") return problemPage(flow, arrival.provider, admission.reason);
  const started = await signedInAs({ ...services, nowMs }, admission.user, signInFrom(ctx));
  return signedIn(url, flow.next, started);
}

async function link(ctx: Ctx, flow: SsoFlow, arrival: SsoArrival): Promise<Response> {
  const account = accountOf(ctx, flow);
  if (account === undefined) return problemPage(flow, arrival.provider, "expired");
  const { services: { store }, nowMs } = ctx.state;
  const result = await linkIdentity({ store, nowMs }, arrival, account.user);
  if (result.type === "refused") return problemPage(flow, arrival.provider, result.reason);
  return seeOther(`${flow.next}?done=identity-linked`);
}

async function prove(ctx: Ctx, flow: SsoFlow, arrival: SsoArrival): Promise<Response> {
  const account = accountOf(ctx, flow);
  if (account === undefined) return problemPage(flow, arrival.provider, "expired");
  const { services: { store }, nowMs } = ctx.state;
  if (!await isOwnIdentity(store, arrival.identity, account.user.id)) {
    return problemPage(flow, arrival.provider, "other");
  }
  await noteProof(store, account.session.digest, nowMs);
  return seeOther(flow.next);
}

/** The account of the session that started the flow; undefined if it is another's or impersonates. */
function accountOf(
  { state: { account } }: Ctx,
  { purpose }: SsoFlow,
): SignedInAccount | undefined {
  const digest = purpose.type === "sign-in" ? undefined : purpose.sessionDigest;
  return account?.session.digest === digest && account?.viewer === undefined ? account : undefined;
}
