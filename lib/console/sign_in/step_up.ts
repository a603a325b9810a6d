import type { Context } from "fresh";
import { isProved, may } from "../../accounts/mod.ts";
import { readSettingsForm, settingsValues } from "../../admin/settings.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import { seeOther } from "../page/address.ts";
import { listFormBytesMax, readForm } from "../page/form.ts";
import { keepShownOnce, showOnce } from "../page/shown_once.ts";
import type { AccountState, SessionScope } from "../session/state.ts";

interface Danger {
  readonly path: RegExp;
  readonly methods: readonly string[];
  /** Selects the dangerous forms by their content and the settings; absent for all forms. */
  readonly when?: (form: URLSearchParams, settings: Settings) => boolean;
}

const anyMethod = ["GET", "POST"] as const;
const posted = ["POST"] as const;

/**
 * The actions that need a recent proof of identity. A page that only confirms an action needs the
 * proof before it is shown; any other page needs it when its form is posted.
 */
const dangerous: readonly Danger[] = [
  { path: /^\/console\/.+\/delete$/, methods: anyMethod },
  { path: /^\/console\/token\/[^/]+\/rotate$/, methods: anyMethod },
  { path: /^\/console\/(token|admin\/users)\/[^/]+\/recording$/, methods: posted },
  {
    path: /^\/console\/token\/bulk$/,
    methods: posted,
    when: (form) =>
      ["delete", "rotate"].includes(form.get("action") ?? "") && form.get("sure") === "yes",
  },
  { path: /^\/console\/account\/(identities|passkeys|totp(\/codes)?)$/, methods: posted },
  { path: /^\/console\/account\/totp(\/codes)?$/, methods: anyMethod },
  { path: /^\/console\/admin\/upstreams\/[^/]+(\/credentials|\/cloud)?$/, methods: posted },
  { path: /^\/console\/admin\/webhooks\/[^/]+$/, methods: posted },
  { path: /^\/console\/admin\/webhooks\/[^/]+\/rotate$/, methods: anyMethod },
  { path: /^\/console\/admin\/users\/[^/]+$/, methods: posted },
  { path: /^\/console\/admin\/users\/[^/]+\/(enabled|funds)$/, methods: posted },
  { path: /^\/console\/admin\/users\/[^/]+\/(password|second-step)$/, methods: anyMethod },
  { path: /^\/console\/admin\/(codes|tokens)\/new$/, methods: posted },
  {
    path: /^\/console\/admin\/settings\/mail$/,
    methods: posted,
    when: (form) => form.get("action") !== "test",
  },
  { path: /^\/console\/admin\/settings$/, methods: posted, when: changesWhoMaySignUp },
  {
    path: /^\/console\/welcome$/,
    methods: posted,
    when: (form) => !["built-in", "key"].includes(form.get("intent") ?? ""),
  },
];

function changesWhoMaySignUp(form: URLSearchParams, settings: Settings): boolean {
  const present = settingsValues(settings);
  const asked = readSettingsForm(form, present);
  return asked.signUp !== present.signUp || asked.signUpDomains !== present.signUpDomains;
}

/** True for a request that needs a recent proof of identity. */
export function isDangerous(method: string, pathname: string): boolean {
  return dangerAt(method, pathname) !== undefined;
}

/** Also matches the address with a trailing slash. */
function dangerAt(method: string, pathname: string): Danger | undefined {
  const bare = pathname.replace(/\/+$/, "");
  return dangerous.find(({ path, methods }) => methods.includes(method) && path.test(bare));
}

const heldField = "held";
const heldLifetimeMs = 10 * 60 * 1_000;

/** A form, and the path that it was posted to. */
interface HeldForm {
  readonly path: string;
  readonly form: string;
}

/**
 * Middleware that asks for a fresh proof of identity before a dangerous action, and then continues.
 * A posted form is sealed meanwhile and submitted afterwards.
 */
export async function stepUp(ctx: Context<AccountState>): Promise<Response> {
  const { req, url, state } = ctx;
  const danger = dangerAt(req.method, url.pathname);
  // An impersonation is read-only, so there is nothing to prove.
  if (danger === undefined || state.account.viewer !== undefined) return await ctx.next();
  const bytesMax = may(state.account.user, "upstreams:write") ? listFormBytesMax : undefined;
  const form = req.method === "POST" ? await readForm(req, bytesMax) : undefined;
  const isDangerous = form === undefined || form.has(heldField) ||
    (danger.when?.(form, state.settings) ?? true);
  if (isDangerous && !isProved(state.account.session, state.nowMs)) {
    return await askForProof(ctx, form);
  }
  const complete = form && await heldOrSent(form, ctx);
  if (form !== undefined && complete === undefined) return seeOther(url.pathname + url.search);
  if (complete !== undefined) ctx.req = withForm(req, complete);
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

/** Holds the posted form, and returns its id. */
function hold(
  form: URLSearchParams,
  path: string,
  scope: SessionScope,
): Promise<string> {
  const held: HeldForm = { path, form: form.toString() };
  return keepShownOnce(JSON.stringify(held), scope, heldLifetimeMs);
}

/** The held form of an id, or the posted form; undefined if the held form expired. */
async function heldOrSent(
  form: URLSearchParams,
  { url, state }: Context<AccountState>,
): Promise<URLSearchParams | undefined> {
  const id = form.get(heldField);
  if (id === null) return form;
  const text = await showOnce(id, state);
  const held = text === undefined ? undefined : JSON.parse(text) as HeldForm; // written by `hold`
  return held?.path === url.pathname ? new URLSearchParams(held.form) : undefined;
}

/** The same request with a form that can be read again. */
function withForm(req: Request, form: URLSearchParams): Request {
  const headers = new Headers(req.headers);
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return new Request(req.url, { method: req.method, headers, body: form.toString() });
}
