import type { Context } from "fresh";
import {
  admitIdentity,
  isOwnIdentity,
  linkIdentity,
  noteProof,
  signedInAs,
  type SsoArrival,
  type SsoFlow,
} from "../../accounts/mod.ts";
import type { SignInProvider } from "../../config.ts";
import { seeOther } from "../page/see_other.ts";
import { forgetFlow, readFlow } from "../session/session_cookie.ts";
import type { ConsoleState, SignedInAccount } from "../session/state.ts";
import { ownEntry } from "./own_entry.ts";
import { signedIn } from "./sign_in_answer.ts";
import { signInFrom } from "./sign_in_from.ts";
import { problemPage, providerAt, ssoFailure } from "./sso.ts";

type Ctx = Context<ConsoleState>;

/** Takes the browser back from a provider: signs in, links the identity, or notes the proof. */
export async function ssoCallback(ctx: Ctx): Promise<Response> {
  const provider = providerAt(ctx, ctx.params.provider);
  const response = await finish(ctx, provider);
  forgetFlow(response.headers, ctx.url);
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
    return await sso.open({ store, nowMs }, provider.id, readFlow(req.headers, url) ?? "");
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
