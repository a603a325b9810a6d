import { credentialsIn } from "../../admin/upstreams/upstream_cloud_form.ts";
import { addOwnUpstream } from "../../admin/upstreams/upstream_changes.ts";
import {
  addressField,
  readUpstreamForm,
  unknownHost,
  type UpstreamFaults,
  upstreamOf,
  type UpstreamValues,
  upstreamValues,
} from "../../admin/upstreams/upstream_form.ts";
import { testUpstream, upstreamServices } from "../../admin/upstreams/upstream_state.ts";
import { formatNames } from "../../canonical/mod.ts";
import { getUpstream, type UpstreamRecord } from "../../store/catalog/mod.ts";
import { matchesPattern, StoreError } from "../../store/mod.ts";
import { type ConnectionReport, listUpstreamModels } from "../../upstreams/mod.ts";
import type { AccountState, PageAuditContext } from "../session/state.ts";

/** The data of the page that adds an upstream. */
export interface NewUpstream {
  /** The form's values without the keys. */
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
  /** The report of a failed test. */
  readonly report?: ConnectionReport;
  /** Keys that were entered before. */
  readonly kept: { readonly sealed: string; readonly count: number };
}

/** The posted form. */
interface AskedUpstream {
  readonly values: UpstreamValues;
  readonly keys: readonly string[];
  /** False: save it disabled, without a test. */
  readonly isTested: boolean;
}

type AddedUpstream =
  | { readonly type: "added"; readonly id: string; readonly done: "created" | "draft" }
  | { readonly type: "refused"; readonly shown: NewUpstream };

/** The keys of the form, or those kept from the previous form if the field is empty. */
export async function readNewUpstream(
  form: URLSearchParams,
  state: AccountState,
): Promise<AskedUpstream> {
  const values = readUpstreamForm(form);
  const entered = credentialsIn(values.credentials);
  const keys = entered.length > 0 ? entered : await openKeys(form.get("kept"), state);
  return { values, keys, isTested: form.get("intent") === "test" };
}

/** The form's values for a copy: everything except the name and the keys. */
export async function copiedValues(id: string, state: AccountState): Promise<UpstreamValues> {
  const found = id.length <= 100 ? await getUpstream(state.services.store, id) : undefined;
  return { ...upstreamValues(found), id: "" };
}

/** Adds an upstream: after a successful test, or disabled. */
export async function addUpstream(
  asked: AskedUpstream,
  ctx: PageAuditContext & { readonly req: Request },
): Promise<AddedUpstream> {
  const { values, keys, isTested } = asked;
  const { services: { directory } } = ctx.state;
  const groupIds = directory.groups().map(({ id }) => id);
  const rule = upstreamServices(ctx.state).addresses;
  const whole = { ...values, credentials: keys.join("\n") };
  const result = await upstreamOf(whole, { groupIds, rule });
  if (result.type === "invalid") return await refused(asked, ctx.state, { faults: result.faults });
  const { upstream } = result;
  const report = isTested ? await testUpstream(upstream, ctx.state, ctx.req.signal) : undefined;
  if (report && !report.isReady) {
    const faults = hostFaults(upstream, asked, report);
    return await refused(asked, ctx.state, { faults, report });
  }
  const isSaid = values.models.trim() !== "";
  const known = report && !isSaid ? await withKnownModels(upstream, ctx) : upstream;
  return await addOwnUpstream({ ...known, enabled: isTested }, ctx)
    ? { type: "added", id: upstream.id, done: isTested ? "created" : "draft" }
    : await refused(asked, ctx.state, { faults: { id: "taken" } });
}

/** The fault of a host name that no longer resolves. */
function hostFaults(
  { endpoints }: UpstreamRecord,
  { values }: AskedUpstream,
  report: ConnectionReport,
): UpstreamFaults {
  if (report.state !== "name") return {};
  const faults = formatNames.map((name) => {
    const url = endpoints[name];
    return url && unknownHost(url, addressField(values, name));
  });
  return Object.assign({}, ...faults);
}

async function refused(
  { values, keys }: AskedUpstream,
  state: AccountState,
  { faults = {}, report }: Partial<Pick<NewUpstream, "faults" | "report">>,
): Promise<AddedUpstream> {
  const kept = { sealed: await sealKeys(keys, state), count: keys.length };
  const shown = { values: { ...values, credentials: "" }, faults, kept };
  return { type: "refused", shown: { ...shown, ...(report && { report }) } };
}

/** Longer model lists are not copied; the upstream then serves all models that it lists. */
const namedMax = 500;

/**
 * Replaces `*`, or patterns that match nothing, with the names on the upstream's list, if the list
 * is short.
 */
async function withKnownModels(
  upstream: UpstreamRecord,
  { state, req }: PageAuditContext & { readonly req: Request },
): Promise<UpstreamRecord> {
  const { send } = upstreamServices(state);
  const listed = await listUpstreamModels(upstream, send, req.signal).catch(() => undefined);
  const models = listed?.models.map(({ id }) => ({ id })) ?? [];
  const isFitting = models.length > 0 && models.length <= namedMax;
  return isFitting && !namesSome(upstream, models) ? { ...upstream, models } : upstream;
}

/** True if a pattern other than `*` matches a listed name. */
function namesSome({ models }: UpstreamRecord, listed: readonly { readonly id: string }[]) {
  const patterns = models.filter(({ id }) => id !== "*");
  return listed.some((one) => patterns.some(({ id }) => matchesPattern(id, one.id)));
}

/**
 * Seals the keys of a rejected form for this session, so that the user need not enter them again
 * and the page does not contain them.
 */
async function sealKeys(keys: readonly string[], state: AccountState): Promise<string> {
  if (keys.length === 0) return "";
  return await state.services.store.secretBox.seal(JSON.stringify(keys), context(state));
}

/** Returns no keys if the text is forged or from another session. */
async function openKeys(
  sealed: string | null,
  state: AccountState,
): Promise<readonly string[]> {
  if (!sealed || sealed.length > sealedCharsMax) return [];
  try {
    return JSON.parse(await state.services.store.secretBox.open(sealed, context(state))); // sealed by sealKeys
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

const sealedCharsMax = 60_000;

function context({ account: { session } }: AccountState): string {
  return `entered keys ${session.digest}`;
}
