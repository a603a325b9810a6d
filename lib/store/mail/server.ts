import type { AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { type FormerRecord, storedCollection } from "../kv/collection.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";

/** `starttls` begins in plain text and must upgrade; `tls` begins with TLS; `none` stays plain. */
export const mailSecurities = ["starttls", "tls", "none"] as const;
type MailSecurity = typeof mailSecurities[number];

/** A server that sends e-mail by SMTP, and the sender. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Absent for a server that asks for none. */
  readonly username?: string;
  /** In plain text, which is in memory only: the store seals it. */
  readonly password?: string;
  /** The sender's address. */
  readonly from: string;
  /** The reason why the password could not be unsealed; nothing is sent then. Never stored. */
  readonly passwordFault?: string;
}

type Identified = MailServer & { readonly id: typeof serverId };
type Stored = Omit<Identified, "password" | "passwordFault"> & { readonly sealedPassword?: string };

const serverId = "smtp";

const servers = storedCollection<Identified, Stored>(
  { name: "mail server", version: 1 },
  { all: keys.mailServers, at: keys.mailServer },
  { open: opened, seal: sealed },
);

/** Returns undefined if none is set up in the console. */
export function getMailServer(store: Store): Promise<MailServer | undefined> {
  return servers.get(store, serverId);
}

/** Replaces the server, or adds the first one. */
export async function saveMailServer(
  store: Store,
  server: MailServer,
  { audit }: AuditOptions,
): Promise<void> {
  const record = { ...server, id: serverId } as const;
  if (await servers.update(store, serverId, () => record, { audit: () => audit })) return;
  await servers.create(store, record, { audit });
}

/** Returns false if there was none. */
export function deleteMailServer(store: Store, { audit }: AuditOptions): Promise<boolean> {
  return servers.remove(store, serverId, { audit: () => audit });
}

async function opened(store: Store, { sealedPassword, ...rest }: Stored): Promise<Identified> {
  if (sealedPassword === undefined) return rest;
  try {
    return { ...rest, password: await store.secretBox.open(sealedPassword, context) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...rest, password: "", passwordFault: error.message };
  }
}

/** Keeps a sealed password as it is unless it changed, even if it cannot be unsealed. */
async function sealed(
  store: Store,
  { password, passwordFault: _, ...rest }: Identified,
  former?: FormerRecord<Identified, Stored>,
): Promise<Stored> {
  if (password === undefined) return rest;
  const isKept = former !== undefined && password === former.record.password;
  const sealedPassword = isKept
    ? former.stored.sealedPassword
    : await store.secretBox.seal(password, context);
  return { ...rest, ...(sealedPassword !== undefined && { sealedPassword }) };
}

const context = "mail server";
