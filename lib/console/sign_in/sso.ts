import { type Context, HttpError, page, type PageResponse } from "fresh";
import { SsoError, type SsoFailure, type SsoPurpose, type SsoRefusal } from "../../accounts/mod.ts";
import type { SignInProvider } from "../../config.ts";
import { logLine } from "../../telemetry/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import { publicOrigin } from "../page/return_origin.ts";
import { seeOther } from "../page/see_other.ts";
import { writeFlow } from "../session/session_cookie.ts";
import type { ConsoleState } from "../session/state.ts";

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
type Ctx = Pick<Context<ConsoleState>, "req" | "url" | "state">;

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
  ctx: Ctx,
  start: Start,
): Promise<Response> {
  const begun = await begin(ctx, start);
  return begun instanceof Response ? begun : seeOther(begun.url, begun.headers);
}

/**
 * Answers a form with a page that continues to a provider by a `refresh`, because the content
 * security policy forbids forms that redirect to another site.
 */
export async function leaveForProvider(
  ctx: Ctx,
  start: Start & { readonly back: string },
): Promise<Response | PageResponse<LeavingData>> {
  const begun = await begin(ctx, start);
  if (begun instanceof Response) return begun;
  const { url, headers, name } = begun;
  headers.set("refresh", `0; url=${url}`);
  return page<LeavingData>({ name, url, back: start.back }, { headers });
}

async function begin(
  ctx: Ctx,
  { providerId, purpose, next: wanted }: Start,
): Promise<Response | { readonly url: string; readonly headers: Headers; readonly name: string }> {
  const { state: { services: { sso, store }, nowMs }, url } = ctx;
  const provider = providerAt(ctx, providerId);
  const next = wanted.length <= nextCharsMax ? wanted : "/console";
  const redirectUri = `${publicOrigin(ctx)}/login/sso/${provider.id}/callback`;
  try {
    const draft = { provider: provider.id, purpose, next, redirectUri };
    const begun = await sso.begin({ store, nowMs }, draft);
    const headers = new Headers();
    writeFlow(headers, url, begun.sealed);
    return { url: begun.url, headers, name: provider.name };
  } catch (error) {
    return problemPage({ purpose, next }, provider, ssoFailure(error, provider));
  }
}

/** Throws `HttpError` 404 if the configuration has no such provider. */
export function providerAt(
  { state: { services: { sso } } }: Pick<Ctx, "state">,
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
export function ssoFailure(error: unknown, { id }: SignInProvider): SsoFailure {
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
export function problemPage(
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
