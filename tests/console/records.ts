import { newApiKey } from "../../lib/accounts/mod.ts";
import { noUsage } from "../../lib/canonical/mod.ts";
import { type ApiKey, createApiKey } from "../../lib/store/api_keys/mod.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { packRow, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { saveRecordedContent } from "../../lib/store/recordings/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { addWaitingRows } from "../../lib/store/settling/mod.ts";
import type { Identity } from "../../lib/store/users/mod.ts";
import { sampleUpstream } from "../store/samples.ts";
import { nowMs } from "./people.ts";

/** A linked account of the owner at a sign-in provider. */
export const sampleIdentity: Identity = {
  id: "1".repeat(64),
  issuer: "https://login.example.com",
  subject: "248289761001",
  userId: "owner",
  provider: "acme",
  email: "owners-own@login.example.com",
  createdAtMs: nowMs,
};

/** Stores a key of an account; its secret is of no interest. */
export async function addKey(store: Store, parts: Partial<ApiKey>): Promise<ApiKey> {
  const draft = { accountId: "owner", name: "ci", groupId: "default", enabled: true };
  const { apiKey } = newApiKey(draft, nowMs - 86_400_000);
  const made = { ...apiKey, ...parts };
  await createApiKey(store, made);
  return made;
}

export async function addCall(
  store: Store,
  parts: Partial<RequestLogRow> & { readonly id: string },
): Promise<RequestLogRow> {
  const row: RequestLogRow = {
    atMs: nowMs - 60_000,
    accountId: "owner",
    keyId: "key_1",
    keyName: "ci",
    groupId: "default",
    model: "tessera-echo",
    format: "chat-completions",
    operation: "generate",
    stream: false,
    status: 200,
    outcome: "completed",
    usage: { ...noUsage, inputTokens: 1_234, outputTokens: 56 },
    usageSource: "upstream",
    firstByteMs: 38,
    durationMs: 1_420,
    ...parts,
  };
  const operation = store.kv.atomic();
  addWaitingRows(operation, { isolateId: "console", sequence: row.id }, [packRow(row)]);
  await operation.commit();
  return row;
}

/** Stores a request and an answer for an hour. */
export async function addContent(
  store: Store,
  call: { readonly id: string; readonly accountId: string; readonly keyId: string },
  [request, answer]: readonly [object, object] = [
    { model: "m", messages: [{ role: "user", content: "What is the answer?" }] },
    { choices: [{ index: 0, message: { role: "assistant", content: "Forty-two" } }] },
  ],
): Promise<void> {
  const body = (value: object) => {
    const text = new TextEncoder().encode(JSON.stringify(value));
    return { text, contentType: "application/json", bytes: text.length };
  };
  await saveRecordedContent(store, call, {
    content: { path: "/chat/completions", request: body(request), answer: body(answer) },
    expiresAtMs: nowMs + 3_600_000,
    nowMs,
    owners: { key: true, user: false },
  });
}

/** An upstream of the configuration that no test calls. */
export function upstreamRecord(
  parts: Partial<UpstreamRecord> & { readonly id: string },
): UpstreamRecord {
  return sampleUpstream({
    endpoints: { messages: "http://localhost:1" },
    credentials: [],
    models: [],
    origin: "config",
    ...parts,
  });
}
