import { newOrderedId } from "../store/kv/id.ts";
import { getMailServer, type MailServer } from "../store/mail/mod.ts";
import type { Store } from "../store/mod.ts";
import type { User } from "../store/users/mod.ts";
import {
  mailReceiverId,
  type PlannedDelivery,
  queueMail,
  type WebhookDelivery,
  type WebhookEvent,
} from "../store/webhooks/mod.ts";
import type { AddressRule } from "../upstreams/mod.ts";
import type { MailFailure } from "./fault.ts";
import type { MailFault } from "./fault_text.ts";
import { type Mail, type MailOutcome, type MailRoute, sendMail } from "./transport.ts";

/** The occasion of a mail. */
export type MailNotice =
  | { readonly type: "event"; readonly event: WebhookEvent }
  /** `by`: the e-mail address of the administrator who invites. */
  | {
    readonly type: "invitation";
    readonly url: string;
    readonly expiresAtMs: number;
    readonly by: string;
  }
  | { readonly type: "password"; readonly url: string; readonly expiresAtMs: number }
  | { readonly type: "test" };

/** The recipient; `locale` is a wish. A user has an id. */
export interface MailReader extends Pick<User, "email"> {
  readonly id?: string;
  readonly locale?: string | undefined;
}

/** Writes a mail in the reader's language; undefined if there is nothing to write any more. */
export type ComposeMail = (notice: MailNotice, reader: MailReader) => Promise<Mail | undefined>;

/** The result of a test: `delivered`, or what failed. */
export type MailTest = "delivered" | MailFailure;

export interface MailPostOptions {
  readonly store: Store;
  /** The server of the configuration, which takes precedence over the console's. */
  readonly configured: MailServer | undefined;
  /** The networks in which a server of the console may be. */
  readonly rule: AddressRule;
  readonly compose: ComposeMail;
  /** The longest time of one attempt. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Called when a mail waits that no event caused: its reader waits for it. */
  readonly onQueued: () => void;
}

/** Puts mails into the queue of deliveries, sealed, and sends them from there. */
export class MailPost {
  readonly #options: MailPostOptions;

  constructor(options: MailPostOptions) {
    this.#options = options;
  }

  /** The server that sends; undefined if none is set up. */
  async route(): Promise<MailRoute | undefined> {
    const { store, configured, rule } = this.#options;
    if (configured) return { server: configured, rule: undefined };
    const server = await getMailServer(store);
    return server && { server, rule };
  }

  /** Queues a mail. Returns false if no server is set up. */
  async send(notice: MailNotice, reader: MailReader): Promise<boolean> {
    if (!await this.route()) return false;
    const { store, now, onQueued } = this.#options;
    const nowMs = now();
    const planned = await this.#plan(notice, reader, `mail_${newOrderedId(nowMs)}`);
    if (!planned) return false;
    await queueMail(store, planned, nowMs);
    onQueued();
    return true;
  }

  /** Writes the mails of an event, one for each reader; the queue takes each of them once. */
  async mailsOf(event: WebhookEvent, readers: readonly User[]): Promise<PlannedDelivery[]> {
    const planned = readers.map(({ id, email, mail = {} }) =>
      this.#plan({ type: "event", event }, { id, email, ...mail }, `${event.id}.${id}`)
    );
    return (await Promise.all(planned)).filter((mail) => mail !== undefined);
  }

  /** Sends a queued mail once. */
  async attempt(
    route: MailRoute,
    { eventId, body }: Pick<WebhookDelivery, "eventId" | "body">,
    signal: AbortSignal,
  ): Promise<MailOutcome> {
    const mail = await this.open(body);
    if (mail === undefined) return refused("password_sealed");
    if (mail.notAfterMs !== undefined && this.#options.now() > mail.notAfterMs) {
      return refused("expired");
    }
    return await this.#transmit(route, mail, eventId, signal);
  }

  /** Sends a test mail at once; undefined if no server is set up. */
  async test(reader: MailReader, signal: AbortSignal): Promise<MailTest | undefined> {
    const route = await this.route();
    const mail = route && await this.#options.compose({ type: "test" }, reader);
    if (!route || !mail) return undefined;
    const id = `test_${newOrderedId(this.#options.now())}`;
    const outcome = await this.#transmit(route, mail, id, signal);
    if (outcome.type === "accepted") return "delivered";
    return outcome.type === "failed" ? outcome.failure : undefined;
  }

  /** Opens a queued mail; undefined if it was sealed by a secret that is gone. */
  async open(body: string): Promise<Mail | undefined> {
    try {
      // `#plan` wrote it
      return JSON.parse(await this.#options.store.secretBox.open(body, context)) as Mail;
    } catch {
      return undefined;
    }
  }

  async #transmit(route: MailRoute, mail: Mail, id: string, signal: AbortSignal) {
    if (route.server.passwordFault !== undefined) return refused("password_sealed", false);
    return await sendMail(route, mail, { id, timeoutMs: this.#options.timeoutMs, signal });
  }

  async #plan(
    notice: MailNotice,
    reader: MailReader,
    eventId: string,
  ): Promise<PlannedDelivery | undefined> {
    const { store, compose } = this.#options;
    const mail = await compose(notice, reader);
    if (mail === undefined) return undefined;
    const type = notice.type === "event" ? notice.event.type : `mail.${notice.type}`;
    const body = await store.secretBox.seal(JSON.stringify(mail), context);
    return { endpointId: mailReceiverId, eventId, type, body };
  }
}

const context = "mail";

function refused(fault: MailFault, isPermanent = true): MailOutcome {
  return { type: "failed", failure: { fault, isPermanent, isOfMail: isPermanent } };
}
