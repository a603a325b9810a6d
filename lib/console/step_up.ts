import type { Context } from "fresh";
import { isProved } from "../accounts/mod.ts";
import { createHeldForm, digestOf, type Store, takeHeldForm } from "../store/mod.ts";
import { readForm } from "./form_body.ts";
import type { AccountState } from "./state.ts";

const anyMethod = ["GET", "POST"] as const;
const posted = ["POST"] as const;

/**
 * What is done only by who has shown a short while ago who that is. Pages that do nothing but ask
 * whether one is sure want the proof before they are shown; a page that shows more wants it when
 * its form is sent.
 */
const dangerous: readonly { readonly path: RegExp; readonly methods: readonly string[] }[] = [
  { path: /^\/console\/.+\/delete$/, methods: anyMethod },
  { path: /^\/console\/token\/[^/]+\/rotate$/, methods: anyMethod },
  { path: /^\/console\/account\/(passkeys|totp(\/codes)?)$/, methods: posted },
  { path: /^\/console\/account\/totp(\/codes)?$/, methods: anyMethod },
  { path: /^\/console\/admin\/upstreams\/[^/]+$/, methods: posted },
  { path: /^\/console\/admin\/users\/[^/]+$/, methods: posted },
  { path: /^\/console\/admin\/users\/[^/]+\/(enabled|funds)$/, methods: posted },
  { path: /^\/console\/admin\/users\/[^/]+\/(password|second-step)$/, methods: anyMethod },
  { path: /^\/console\/admin\/codes\/new$/, methods: posted },
];

/** Whether an address does something for which a proof is wanted. */
export function isDangerous(method: string, pathname: string): boolean {
  return dangerous.some(({ path, methods }) => methods.includes(method) && path.test(pathname));
}

const heldField = "held";
const heldLifetimeMs = 10 * 60 * 1_000;
/** Sealed, it has to fit into one value of the store. */
const heldLengthMax = 40_000;

/**
 * Stands before the pages of an account: leads who wants to do something dangerous without a fresh
 * proof to where one is given, and back. A form that was sent is held meanwhile, sealed, and goes
 * on as it was.
 */
export async function stepUp(ctx: Context<AccountState>): Promise<Response> {
  const { req, url, state } = ctx;
  if (!isDangerous(req.method, url.pathname)) return await ctx.next();
  const form = req.method === "POST" ? await readForm(req) : undefined;
  if (!isProved(state.account.session, state.nowMs)) return await askForProof(ctx, form);
  const meant = form && await meantBy(form, ctx);
  if (form !== undefined && meant === undefined) return seeOther(url.pathname + url.search);
  if (meant !== undefined) ctx.req = withForm(req, meant);
  return await ctx.next();
}

async function askForProof(
  { req, url, state }: Context<AccountState>,
  form: URLSearchParams | undefined,
): Promise<Response> {
  const next = url.pathname + url.search;
  if (req.headers.get("accept") === "application/json") {
    return Response.json({ status: 403, next }, { status: 403 });
  }
  const fields = new URLSearchParams({ next });
  if (form !== undefined) fields.set(heldField, await hold(form, url.pathname, state));
  return seeOther(`/console/confirm?${fields}`);
}

/** Returns the token by which the form goes on; empty where it is too long to be kept. */
async function hold(
  form: URLSearchParams,
  path: string,
  { services: { store }, account }: AccountState,
): Promise<string> {
  const text = form.toString();
  if (text.length > heldLengthMax) return "";
  const token = crypto.randomUUID();
  const sealed = await store.secretBox.seal(text, contextOf(account.session.digest, path));
  await createHeldForm(store, { digest: digestOf(token), sealed }, heldLifetimeMs);
  return token;
}

/** The form that a token stands for, or the one that was sent; undefined where the held one is gone. */
async function meantBy(
  form: URLSearchParams,
  { url, state: { services: { store }, account } }: Context<AccountState>,
): Promise<URLSearchParams | undefined> {
  const token = form.get(heldField);
  if (token === null) return form;
  return await opened(store, token, contextOf(account.session.digest, url.pathname));
}

async function opened(
  store: Store,
  token: string,
  context: string,
): Promise<URLSearchParams | undefined> {
  const held = await takeHeldForm(store, digestOf(token));
  if (held === undefined) return undefined;
  try {
    return new URLSearchParams(await store.secretBox.open(held.sealed, context));
  } catch {
    return undefined; // of another session, or of another page
  }
}

function contextOf(sessionDigest: string, path: string): string {
  return `held form ${sessionDigest} ${path}`;
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

/** The same request with a form that can be read again. */
function withForm(req: Request, form: URLSearchParams): Request {
  const headers = new Headers(req.headers);
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new Request(req.url, { method: req.method, headers, body: form.toString() });
}
