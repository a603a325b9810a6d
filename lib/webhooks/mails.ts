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

/** The account in the body of an alert, as `eventOfAlert` writes it. */
function accountOf({ type, body }: WebhookEvent): string | undefined {
  if (!isAlertType(type)) return undefined;
  return (JSON.parse(body) as { readonly data: { readonly accountId?: string } }).data.accountId;
}
