/** Every key of the store. No other module spells one, so two entities can never share a prefix. */
export const keys = {
  change: ["change"],

  user: (id: string) => ["user", id],
  users: ["user"],
  userByEmail: (email: string) => ["user_by_email", email],

  session: (digest: string) => ["session", digest],
  sessionsOfUser: (userId: string) => ["session_by_user", userId],
  sessionOfUser: (userId: string, digest: string) => ["session_by_user", userId, digest],
  signInAttempts: (bucket: string) => ["sign_in_attempts", bucket],

  setupLink: (digest: string) => ["setup_link", digest],
  setupLinkOfRun: (runId: string) => ["setup_link_of_run", runId],
  firstKeyMade: ["first_key_made"],

  apiKey: (id: string) => ["api_key", id],
  apiKeys: ["api_key"],
  apiKeyByDigest: (digest: string) => ["api_key_by_digest", digest],
  apiKeysOfAccount: (accountId: string) => ["api_key_by_account", accountId],
  apiKeyOfAccount: (accountId: string, name: string) => ["api_key_by_account", accountId, name],
  apiKeyUsed: (id: string) => ["api_key_used", id],

  group: (id: string) => ["group", id],
  groups: ["group"],
  upstream: (id: string) => ["upstream", id],
  upstreams: ["upstream"],
  model: (id: string) => ["model", id],
  models: ["model"],

  wallet: (accountId: string) => ["wallet", accountId],
  wallets: ["wallet"],
  ledgerEntries: ["ledger_entry"],
  ledgerEntry: (accountId: string, id: string) => ["ledger_entry", accountId, id],
  ledgerEntriesOfAccount: (accountId: string) => ["ledger_entry", accountId],
  ledgerUsage: (accountId: string, day: string, keyId: string) => [
    "ledger_usage",
    accountId,
    day,
    keyId,
  ],
  ledgerUsageOfAccount: (accountId: string) => ["ledger_usage", accountId],
  ledgerUsageOfDay: (accountId: string, day: string) => ["ledger_usage", accountId, day],
  ledgerPosted: (idempotencyKey: string) => ["ledger_posted", idempotencyKey],
  ledgerPostedAll: ["ledger_posted"],
  ledgerTotal: (account: string, side: string) => ["ledger_total", account, side],
  ledgerTotals: ["ledger_total"],

  allowance: (id: string) => ["allowance", id],
  allowances: ["allowance"],
  allowanceSpent: (id: string) => ["allowance_spent", id],
  isolate: (id: string) => ["isolate", id],
  isolates: ["isolate"],
  lease: (isolateId: string, allowanceId: string) => ["lease", isolateId, allowanceId],
  leasesOfIsolate: (isolateId: string) => ["lease", isolateId],
  inFlight: (isolateId: string, chunk: string) => ["in_flight", isolateId, chunk],
  inFlightOfIsolate: (isolateId: string) => ["in_flight", isolateId],
  recall: ["recall"],

  waitingRows: (isolateId: string, sequence: string) => ["waiting_rows", isolateId, sequence],
  waitingRowsOfIsolate: (isolateId: string) => ["waiting_rows", isolateId],
  allWaitingRows: ["waiting_rows"],

  requestLog: (id: string) => ["request_log", id],
  requestLogs: ["request_log"],
  requestLogsOfAccount: (accountId: string) => ["request_log_by_account", accountId],
  requestLogOfAccount: (accountId: string, id: string) => ["request_log_by_account", accountId, id],
} as const satisfies Record<string, Deno.KvKey | ((...parts: string[]) => Deno.KvKey)>;
