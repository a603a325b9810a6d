import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import { type UpstreamTimeouts, usualTimeouts } from "../../store/mod.ts";
import { credentialsOf } from "../../upstreams/mod.ts";
import { checkedCredential, misplacedCredential } from "../../upstreams/credentials/mod.ts";
import { mayCarryCredential } from "../../upstreams/upstream.ts";
import type { FormFaults } from "../fault_text.ts";
import type { FaultCode } from "../faults.ts";
import { credentialsIn } from "./upstream_cloud_form.ts";

export const timeoutFields = ["connectMs", "firstByteMs", "idleMs", "totalMs"] as const;
/** The fields of an upstream's wire settings, apart from its addresses. */
export const wireFields = [
  "authHeader",
  "authPrefix",
  "messagesVersion",
  "automaticCaching",
  "websocket",
  "retry",
  "ownCompaction",
  ...timeoutFields,
] as const;
type WireField = typeof wireFields[number];
type WireValues = Readonly<Record<WireField, string>>;

type Wire = Pick<
  UpstreamRecord,
  | "auth"
  | "messagesVersion"
  | "automaticCaching"
  | "websocket"
  | "retry"
  | "ownCompaction"
  | "timeouts"
>;

/** The form's value for disabled automatic caching; empty means enabled. */
export const cachingOff = "off";
/** The form's value for an enabled WebSocket; empty means disabled. */
export const websocketOn = "on";
/** The form's value for disabled retries; empty means enabled. */
export const retryOff = "off";

/** The form's value for an upstream that compacts histories itself or not; empty: as its vendor does. */
export function compactionValue(own: boolean | null | undefined): string {
  return typeof own === "boolean" ? String(own) : "";
}

const secondsMax = 86_400;

/** The form's values of an upstream, or of a new one. */
export function wireValues(
  { timeouts = usualTimeouts, ...wire }: Partial<Wire> = {},
): WireValues {
  const { auth, messagesVersion, automaticCaching, websocket, retry, ownCompaction } = wire;
  const seconds = timeoutFields.map((name) => [name, String(timeouts[name] / 1_000)]);
  return {
    authHeader: auth?.header ?? "",
    authPrefix: (auth?.prefix ?? "").trimEnd(),
    messagesVersion: messagesVersion ?? "",
    automaticCaching: automaticCaching === false ? cachingOff : "",
    websocket: websocket ? websocketOn : "",
    retry: retry === false ? retryOff : "",
    ownCompaction: compactionValue(ownCompaction),
    ...Object.fromEntries(seconds) as Record<keyof UpstreamTimeouts, string>, // one for each
  };
}

/** The faults of the fields. Empty fields take the default. */
export function wireFaults(values: WireValues): FormFaults<WireField, FaultCode<"upstream">> {
  const wrongTimes = timeoutFields.filter((name) =>
    values[name] !== "" && msOf(values[name]) === undefined
  );
  const { authHeader } = values;
  return {
    ...(authHeader !== "" && !mayCarryCredential(authHeader) && { authHeader: "header" }),
    ...(!/^[\x20-\x7e]{0,100}$/.test(values.authPrefix) && { authPrefix: "prefix" }),
    ...(!/^[\x21-\x7e]{0,40}$/.test(values.messagesVersion) && { messagesVersion: "version" }),
    ...Object.fromEntries(wrongTimes.map((name) => [name, "seconds"])),
  };
}

/**
 * The settings from valid values. An empty timeout keeps the current value, or takes the default.
 */
export function wireOf(values: WireValues, current: Partial<Wire> = {}): Wire {
  const { authHeader, authPrefix, messagesVersion, ownCompaction } = values;
  const before = current.timeouts ?? usualTimeouts;
  const times = timeoutFields.map((name) => [name, msOf(values[name]) ?? before[name]]);
  const prefix = authPrefix !== "" && { prefix: `${authPrefix} ` };
  return {
    timeouts: Object.fromEntries(times) as Record<keyof UpstreamTimeouts, number>, // one for each
    ...(authHeader !== "" && { auth: { header: authHeader.toLowerCase(), ...prefix } }),
    ...(messagesVersion !== "" && { messagesVersion }),
    ...(values.automaticCaching === cachingOff && { automaticCaching: false }),
    ...(values.websocket === websocketOn && { websocket: true }),
    ...(values.retry === retryOff && { retry: false }),
    ...(ownCompaction !== "" && { ownCompaction: ownCompaction === compactionValue(true) }),
  };
}

/** The upstream without the settings that `wireOf` leaves out if they have their default. */
export function withoutWire<Stored extends UpstreamRecord>(
  { ownCompaction: _, retry: ______, ...stored }: Stored,
) {
  const { auth: __, messagesVersion: ___, automaticCaching: ____, websocket: _____, ...kept } =
    stored;
  return kept;
}

function msOf(text: string): number | undefined {
  const seconds = /^\d{1,5}([.]\d{1,3})?$/.test(text) ? Number(text) : NaN;
  return seconds >= 0.1 && seconds <= secondsMax ? Math.round(seconds * 1_000) : undefined;
}

/** Maximum number of keys of one upstream. */
const upstreamKeysMax = 50;

/** The change of an upstream's keys: keys to add, or one to remove. */
export type KeyChange =
  | { readonly type: "add"; readonly keys: readonly string[] }
  /** The key's name in the log. */
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "invalid" };

/** Reads `remove`, or `credentials` with a key on each line. */
export function readKeyChange(form: URLSearchParams): KeyChange {
  const id = form.get("remove");
  if (id !== null) return { type: "remove", id };
  const keys = credentialsIn(form.get("credentials") ?? "");
  return keys.length > 0 && areKeys(keys) ? { type: "add", keys } : { type: "invalid" };
}

/** The keys after the change; undefined if there would be too many or unusable ones, or if the form is empty. */
export function keysAfter(
  { credentials: keys, cloud }: Pick<UpstreamRecord, "credentials" | "cloud">,
  change: KeyChange,
): readonly string[] | undefined {
  switch (change.type) {
    case "add": {
      const all = [...new Set([...keys, ...change.keys])];
      const isFine = all.length <= upstreamKeysMax && !misplacedCredential(change.keys, cloud);
      return isFine ? all : undefined;
    }
    case "remove":
      return credentialsOf({ credentials: keys }).filter(({ id }) => id !== change.id)
        .map(({ secret }) => secret);
    case "invalid":
      return undefined;
    default:
      return change satisfies never;
  }
}

export function areKeys(keys: readonly string[]): boolean {
  return keys.length <= upstreamKeysMax && keys.every((one) => "secret" in checkedCredential(one));
}
