import { BoundedMap } from "../bounded_map.ts";
import type { MailFault, MailOutcome } from "../mail/mod.ts";
import type { Store } from "../store/mod.ts";
import { listUsers, type MailChoice, type User } from "../store/users/mod.ts";
import type { WebhookEvent } from "../store/webhooks/mod.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { type EventType, isAlertType } from "./event_types.ts";

/** Sends a mail once, and converts the result to that of a delivery. */
export async function attemptMail(
  send: () => Promise<MailOutcome>,
  now: () => number,
): Promise<AttemptOutcome> {
  const atMs = now();
  const outcome = await send();
  const made = { atMs, durationMs: now() - atMs };
  if (outcome.type === "stopped") return { type: "stopped" };
  if (outcome.type === "accepted") return { type: "delivered", attempt: made };
  const { fault, status, isPermanent, isOfMail } = outcome.failure;
  const attempt = {
    ...made,
    ...(status !== undefined && { status }),
    fault: fault satisfies MailFault,
  };
  if (isPermanent) return { type: "rejected", attempt };
  return { type: "failed", attempt, isOfEvent: isOfMail };
}

/** Events beside alerts that administrators get as a mail. */
const others: readonly EventType[] = [
  "upstream.down",
  "upstream.recovered",
  "upstream.credential_refused",
  "report.weekly",
];

/** True for events that are sent as mails too. */
export function isMailed(type: string): boolean {
  return isAlertType(type) || others.some((other) => other === type);
}

/** More would be a list, not a team. */
const readersMax = 50;

/** The users who want an event as a mail: administrators, and the account that an alert is about. */
export async function mailReaders(store: Store, event: WebhookEvent): Promise<User[]> {
  if (!isMailed(event.type)) return [];
  const choice: keyof MailChoice = event.type === "report.weekly" ? "report" : "alerts";
  const accountId = accountOf(event);
  return (await listUsers(store))
    .filter(({ id, enabled, role, mail }) =>
      enabled && mail?.[choice] !== false && (role === "administrator" || id === accountId)
    )
    .slice(0, readersMax);
}

/** Events of one type and one account or upstream that are mailed in an hour; webhooks get all. */
const hourlyMax = 10;
const hourMs = 3_600_000;

/** The subject of an event, in a body that `newEvent` or `eventOfAlert` wrote. */
interface EventSubject {
  readonly data: {
    readonly upstreamId?: string;
    readonly owner?: { readonly id: string };
    readonly model?: string;
  };
}

/** Bounds the mails that one account's calls, or one upstream that comes and goes, can cause. */
export class MailPace {
  /** The times of the last mailed events, by type and subject. */
  readonly #mailed = new BoundedMap<string, readonly number[]>(1_000);

  /** Notes an event; returns false if it is one too many. */
  takes(event: WebhookEvent): boolean {
    const { type, atMs, body } = event;
    const { data: { upstreamId, owner, model } } = JSON.parse(body) as EventSubject;
    const subject = accountOf(event) ?? upstreamId ?? `${owner?.id} ${model}`;
    const name = `${type} ${subject}`;
    const recent = (this.#mailed.get(name) ?? []).filter((one) => one > atMs - hourMs);
    if (recent.length >= hourlyMax) return false;
    this.#mailed.set(name, [...recent, atMs]);
    return true;
  }
}

/** The account in the body of an alert, as `eventOfAlert` writes it. */
function accountOf({ type, body }: WebhookEvent): string | undefined {
  if (!isAlertType(type)) return undefined;
  return (JSON.parse(body) as { readonly data: { readonly accountId?: string } }).data.accountId;
}
