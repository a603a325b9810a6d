/** Every key of the store. No other module spells one, so two entities can never share a prefix. */
export const keys = {
  /** The version of the format of all values; see `kv/format.ts`. */
  format: ["format"],
  change: ["change"],
  probe: ["probe"],
  secretCheck: ["secret_check"],
  /** Present while an import fills the store. */
  importing: ["importing"],
  settings: ["settings"],

  user: (id: string) => ["user", id],
  users: ["user"],
  userSeen: (id: string) => ["user_seen", id],
  userByEmail: (email: string) => ["user_by_email", email],

  session: (digest: string) => ["session", digest],
  readingChoices: (userId: string) => ["reading_choices", userId],
  sessionsOfUser: (userId: string) => ["session_by_user", userId],
  sessionOfUser: (userId: string, digest: string) => ["session_by_user", userId, digest],
  signInAttempts: (bucket: string) => ["sign_in_attempts", bucket],

  setupLink: (digest: string) => ["setup_link", digest],
  startOfRun: (runId: string) => ["start_of_run", runId],
  invitations: ["invitation"],
  invitation: (digest: string) => ["invitation", digest],
  passwordLink: (digest: string) => ["password_link", digest],
  passwordLinkOfUser: (userId: string) => ["password_link_by_user", userId],
  passkey: (id: string) => ["passkey", id],
  passkeysOfUser: (userId: string) => ["passkey_by_user", userId],
  identity: (id: string) => ["identity", id],
  identitiesOfUser: (userId: string) => ["identity_by_user", userId],
  totp: (userId: string) => ["totp", userId],
  oneTimeUse: (digest: string) => ["one_time_use", digest],
  firstKeyMade: ["first_key_made"],

  apiKey: (id: string) => ["api_key", id],
  apiKeys: ["api_key"],
  apiKeyByDigest: (digest: string) => ["api_key_by_digest", digest],
  apiKeysOfAccount: (accountId: string) => ["api_key_by_account", accountId],
  apiKeyOfAccount: (accountId: string, name: string) => ["api_key_by_account", accountId, name],
  deviceAnswer: (digest: string) => ["device_answer", digest],
  formerSecretUse: (digest: string) => ["former_secret_use", digest],
  apiKeysUsed: ["api_key_used"],
  apiKeyUsed: (id: string) => ["api_key_used", id],
  deniedCalls: (keyId: string, minute: string, reason: string) => [
    "denied_calls",
    keyId,
    minute,
    reason,
  ],
  deniedCallsOf: (keyId: string) => ["denied_calls", keyId],

  adminToken: (id: string) => ["admin_token", id],
  adminTokens: ["admin_token"],
  adminTokenByDigest: (digest: string) => ["admin_token_by_digest", digest],
  adminTokenUsed: (id: string) => ["admin_token_used", id],
  keptAnswer: (tokenId: string, digest: string) => ["kept_answer", tokenId, digest],
  keptAnswerPiece: (tokenId: string, digest: string, place: string) => [
    "kept_answer_piece",
    tokenId,
    digest,
    place,
  ],

  idempotentCall: (accountId: string, digest: string) => ["idempotent_call", accountId, digest],
  idempotentCallsOf: (accountId: string) => ["idempotent_call", accountId],

  shownOnce: (id: string) => ["shown_once", id],
  shownOnceOf: (owner: string) => ["shown_once_of", owner],
  shownOncePiece: (id: string, place: string) => ["shown_once_piece", id, place],

  group: (id: string) => ["group", id],
  groups: ["group"],
  upstream: (id: string) => ["upstream", id],
  upstreams: ["upstream"],
  upstreamList: (id: string) => ["upstream_list", id],
  upstreamLists: ["upstream_list"],
  upstreamListTurn: (id: string) => ["upstream_list_turn", id],
  model: (id: string) => ["model", id],
  models: ["model"],

  project: (id: string) => ["project", id],
  projects: ["project"],
  organization: ["organization"],
  tagValues: ["tag_values"],
  tagBudget: (tag: string) => ["tag_budget", tag],
  tagBudgets: ["tag_budget"],

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
  ledgerUsages: ["ledger_usage"],
  ledgerUsageOfAccount: (accountId: string) => ["ledger_usage", accountId],
  ledgerUsageOfDay: (accountId: string, day: string) => ["ledger_usage", accountId, day],
  ledgerPosted: (idempotencyKey: string) => ["ledger_posted", idempotencyKey],
  ledgerPostedAll: ["ledger_posted"],
  ledgerTotal: (account: string, side: string) => ["ledger_total", account, side],
  ledgerTotals: ["ledger_total"],

  redemptionBatch: (id: string) => ["redemption_batch", id],
  redemptionBatches: ["redemption_batch"],
  redemptionCode: (digest: string) => ["redemption_code", digest],
  redemptionCodes: ["redemption_code"],
  redemptionCodeOfBatch: (
    batchId: string,
    digest: string,
  ) => ["redemption_code_by_batch", batchId, digest],
  redemptionCodesOfBatch: (batchId: string) => ["redemption_code_by_batch", batchId],
  redemptionUse: (digest: string, accountId: string) => ["redemption_use", digest, accountId],
  redemptionsOfAccount: (batchId: string, accountId: string) => [
    "redemption_by_account",
    batchId,
    accountId,
  ],
  redemptionUsesOf: (digest: string) => ["redemption_use", digest],

  payment: (id: string) => ["payment", id],
  payments: ["payment"],
  paymentOfAccount: (accountId: string, orderedId: string) => [
    "payment_by_account",
    accountId,
    orderedId,
  ],
  paymentsOfAccount: (accountId: string) => ["payment_by_account", accountId],
  paymentOfIntent: (intentId: string) => ["payment_by_intent", intentId],
  paymentUnsettled: (id: string) => ["payment_unsettled", id],
  paymentsUnsettled: ["payment_unsettled"],
  paymentPass: ["payment_pass"],

  allowance: (id: string) => ["allowance", id],
  allowances: ["allowance"],
  allowanceSpent: (id: string) => ["allowance_spent", id],
  tokenOverrun: (limitId: string, orderedMinute: string, id: string) => [
    "token_overrun",
    limitId,
    orderedMinute,
    id,
  ],
  tokenOverruns: (limitId: string) => ["token_overrun", limitId],
  tokenOverrunsFrom: (limitId: string, orderedMinute: string) => [
    "token_overrun",
    limitId,
    orderedMinute,
  ],
  isolate: (id: string) => ["isolate", id],
  isolates: ["isolate"],
  lease: (isolateId: string, allowanceId: string) => ["lease", isolateId, allowanceId],
  leasesOfIsolate: (isolateId: string) => ["lease", isolateId],
  inFlight: (isolateId: string, chunk: string) => ["in_flight", isolateId, chunk],
  inFlightOfIsolate: (isolateId: string) => ["in_flight", isolateId],
  recall: ["recall"],

  /** A part of a record that is too large for one value. */
  recordPart: (id: string, part: string) => ["record_part", id, part],
  textChunks: ["kept_text"],
  textChunk: (id: string, chunk: string) => ["kept_text", id, chunk],
  storedResponse: (accountId: string, id: string) => ["response", accountId, id],
  responseItem: (accountId: string, itemId: string) => ["response_item", accountId, itemId],
  responseEvents: (accountId: string, id: string, pack: string) => [
    "response_events",
    accountId,
    id,
    pack,
  ],
  conversations: ["conversation"],
  conversation: (accountId: string, id: string) => ["conversation", accountId, id],
  conversationPages: (accountId: string, id: string) => ["conversation_page", accountId, id],
  conversationPage: (accountId: string, id: string, pageId: string) => [
    "conversation_page",
    accountId,
    id,
    pageId,
  ],

  auditEntry: (id: string) => ["audit_entry", id],
  auditEntries: ["audit_entry"],

  alert: (id: string) => ["alert", id],
  alerts: ["alert"],
  alertOfAccount: (accountId: string, id: string) => ["alert_by_account", accountId, id],
  alertsOfAccount: (accountId: string) => ["alert_by_account", accountId],
  alertMark: (id: string) => ["alert_mark", id],
  alertPass: ["alert_pass"],

  webhookEndpoint: (id: string) => ["webhook_endpoint", id],
  webhookEndpoints: ["webhook_endpoint"],
  webhookOutbox: (id: string) => ["webhook_outbox", id],
  webhookOutboxAll: ["webhook_outbox"],
  /** Present while a state that was reported once holds. */
  webhookMark: (id: string) => ["webhook_mark", id],
  webhookDelivery: (endpointId: string, place: string) => ["webhook_delivery", endpointId, place],
  webhookDeliveriesOf: (endpointId: string) => ["webhook_delivery", endpointId],
  webhookDeliveries: ["webhook_delivery"],
  webhookDue: (endpointId: string, orderedDueTime: string, place: string) => [
    "webhook_due",
    endpointId,
    orderedDueTime,
    place,
  ],
  webhookDueOf: (endpointId: string) => ["webhook_due", endpointId],
  webhookDueAll: ["webhook_due"],

  connectionCheck: (accountId: string, keyId: string) => ["connection_check", accountId, keyId],
  connectionChecksOf: (accountId: string) => ["connection_check", accountId],
  connectionChecks: ["connection_check"],
  connectionChecksChanged: ["connection_checks_changed"],
  arrivals: (accountId: string, keyId: string) => ["arrivals", accountId, keyId],

  waitingRows: (isolateId: string, sequence: string) => ["waiting_rows", isolateId, sequence],
  waitingRowsOfIsolate: (isolateId: string) => ["waiting_rows", isolateId],
  allWaitingRows: ["waiting_rows"],

  /** Checked and set by each compaction of an isolate's rows. */
  compactionMark: (isolateId: string) => ["fold_mark", isolateId],
  /** Checked and set by each commit that adds to rollups. */
  rollupTurn: ["rollup_turn"],
  waitingSums: (isolateId: string, id: string) => ["waiting_sums", isolateId, id],
  waitingSumsOfIsolate: (isolateId: string) => ["waiting_sums", isolateId],
  allWaitingSums: ["waiting_sums"],
  logKept: ["log_kept"],
  logUnexpiring: ["log_unexpiring"],
  rollupsPruned: ["rollups_pruned"],
  archiveLease: ["log_archive_lease"],
  archiveParts: ["log_archive_part"],
  archivePartsOfDay: (day: string) => ["log_archive_part", day],
  archivePart: (day: string, part: string) => ["log_archive_part", day, part],
  /** Set by each commit that moves rows to another page. */
  logMoved: ["log_moved"],
  logPage: (pageId: string) => ["log_page", pageId],
  logPages: ["log_page"],
  logIndex: (dimension: string, value: string, minute: string, pageId: string) => [
    "log_by",
    dimension,
    value,
    minute,
    pageId,
  ],
  logIndexFrom: (dimension: string, value: string, minute: string) => [
    "log_by",
    dimension,
    value,
    minute,
  ],
  logIndexOf: (dimension: string, value: string) => ["log_by", dimension, value],
  logIndexes: ["log_by"],
  rollup: (step: string, ...subjectTimeAndCount: string[]) => [
    `rollup_${step}`,
    ...subjectTimeAndCount,
  ],
  rollupTimes: (step: string, ...subjectTimeAndBucket: string[]) => [
    `rollup_times_${step}`,
    ...subjectTimeAndBucket,
  ],
} as const satisfies Record<string, Deno.KvKey | ((...parts: string[]) => Deno.KvKey)>;

/**
 * The first parts of keys whose values are bytes of their own format. They are stored as they are;
 * all other values are encoded.
 */
export const keptAsBytes: ReadonlySet<Deno.KvKeyPart> = new Set([
  keys.allWaitingRows,
  keys.allWaitingSums,
  keys.logPages,
  keys.logIndexes,
  keys.recordPart("", ""),
  keys.probe,
].map(([first]) => first));

/** The first parts of the keys that somebody watches: only their commits send a notification. */
export const watchedKinds: ReadonlySet<Deno.KvKeyPart> = new Set([
  keys.change,
  keys.recall,
  keys.arrivals("", ""),
  keys.connectionChecksChanged,
].map(([first]) => first));
