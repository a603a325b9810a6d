import { keyStatusOf } from "../../admin/keys/key_status.ts";
import {
  type ApiKey,
  listArrivals,
  openConnectionCheck,
  watchArrivals,
} from "../../store/api_keys/mod.ts";
import { formatsFor } from "../page/format.ts";
import type { AccountState } from "../session/state.ts";
import { type CheckView, checkView } from "./findings.ts";

/** The time after which a check without a connected page closes. */
const openMs = 2 * 60 * 1_000;
/**
 * Maximum length of a stream: browsers reconnect, and a stopping server waits no longer than this.
 */
const streamMs = 20_000;
const retryMs = 300;

/** A live check on a page: its key, and its start. */
interface LiveCheck {
  readonly key: ApiKey;
  readonly sinceMs: number;
  readonly origin: string;
}

export const nothingYet: CheckView = { connected: false, findings: [] };

/**
 * Keeps the check open, so that gateways report arrivals for a key. Writes only if the check is
 * about to close.
 */
export async function keepWaiting(
  key: ApiKey,
  { services: { store, directory }, account, nowMs }: AccountState,
  ip: string | undefined,
): Promise<void> {
  if (account.viewer) return; // an administrator must not open a check in the impersonated user's name
  const { id: keyId, accountId, digest, previous, prefix, lastFour } = key;
  const isOpen = directory.checks.open(nowMs).some((one) =>
    one.keyId === keyId && one.ip === ip && one.digests[0] === digest &&
    one.expiresAtMs - nowMs > openMs / 2
  );
  if (isOpen) return;
  const digests = previous === undefined ? [digest] : [digest, previous.digest];
  const expiresAtMs = nowMs + openMs;
  const check = { accountId, keyId, digests, prefix, lastFour, ip, expiresAtMs };
  await openConnectionCheck(store, check, nowMs);
}

/** The calls since the page was opened. */
export async function readCheck(live: LiveCheck, state: AccountState): Promise<CheckView> {
  const { key } = live;
  return viewOf(await listArrivals(state.services.store, key.accountId, key.id), live, state);
}

/** The calls as server-sent events: at the start, and after each arrival. */
export function checkEvents(live: LiveCheck, state: AccountState): ReadableStream<Uint8Array> {
  const { services: { store } } = state;
  const keyId = live.key.id;
  let end = () => {};
  const stream = new ReadableStream<string>({
    start(controller) {
      const watch = watchArrivals(store, { accountId: live.key.accountId, keyId }, (arrivals) => {
        controller.enqueue(`data: ${JSON.stringify(viewOf(arrivals, live, state))}\n\n`);
      });
      const timer = setTimeout(() => {
        end();
        controller.close();
      }, streamMs);
      end = () => {
        clearTimeout(timer);
        void watch.stop();
      };
      controller.enqueue(`retry: ${retryMs}\n\n`);
    },
    cancel: () => end(),
  });
  return stream.pipeThrough(new TextEncoderStream());
}

function viewOf(
  arrivals: Parameters<typeof checkView>[0],
  { key, sinceMs, origin }: LiveCheck,
  state: AccountState,
): CheckView {
  const { services: { directory }, catalog, nowMs } = state;
  const { id, name } = key;
  const since = arrivals.filter(({ atMs }) => atMs >= sinceMs);
  const status = keyStatusOf(key, { groups: directory.groups(), nowMs });
  return checkView(since, {
    key: { id, name, status },
    origin,
    catalog,
    formats: formatsFor(state),
  });
}
