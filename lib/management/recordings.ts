import { z } from "zod";
import { lookUpCall, readRequestId } from "../admin/calls.ts";
import { bodyText, readableMessages } from "../admin/readable_content.ts";
import {
  type NamedSubject,
  readContent,
  startRecordingOf,
  stopRecordingOf,
} from "../admin/recordings.ts";
import { getApiKey } from "../store/api_keys/mod.ts";
import {
  getRecording,
  listRecordings,
  type RecordedBody,
  type RecordedSubject,
  type Recording,
} from "../store/recordings/mod.ts";
import { getUser } from "../store/users/mod.ts";
import { invalidField, notFound } from "./http/error.ts";
import { type ManagementCall, operation } from "./http/operation.ts";
import { listSchema, pageQuery, pageReply } from "./http/page.ts";
import { namedObject, timeAnswer, timeText } from "./http/schema.ts";

const recording = namedObject("Recording", {
  user_id: z.string(),
  key_id: z.string().nullable().describe("Null: all calls of the user"),
  started_at: timeAnswer,
  ends_at: timeAnswer,
  started_by: z.string(),
});

const duration = z.strictObject({
  hours: z.int().min(1).describe("At most the limit `recordingDaysMax`"),
});

const body = z.object({
  content_type: z.string(),
  text: z.string().describe("Without long base64; bytes that are not UTF-8 are replaced"),
  bytes: z.int().describe("The size of the whole body"),
  base64_bytes: z.int().describe("The size of the base64 that was not recorded"),
  truncated: z.boolean().describe("True if only the beginning was recorded"),
  missing: z.enum(["binary", "busy"]).nullable()
    .describe("The reason why no text was recorded"),
});

const content = namedObject("CallContent", {
  call_id: z.string(),
  deleted_at: timeAnswer.describe("The time at which it is deleted"),
  messages: z.array(z.object({
    from: z.enum(["request", "answer"]),
    role: z.enum(["system", "user", "assistant"]),
    blocks: z.array(z.object({ type: z.string(), name: z.string().nullable(), text: z.string() })),
  })).describe("Request and answer as a conversation, if their form is known"),
  request: body.nullable(),
  answer: body.nullable(),
});

function recordingJson(one: Recording): z.output<typeof recording> {
  return {
    user_id: one.accountId,
    key_id: one.keyId ?? null,
    started_at: timeText(one.startedAtMs),
    ends_at: timeText(one.expiresAtMs),
    started_by: one.startedBy,
  };
}

function bodyJson(one: RecordedBody | undefined): z.output<typeof body> | null {
  return one === undefined ? null : {
    content_type: one.contentType,
    text: bodyText(one),
    bytes: one.bytes,
    base64_bytes: one.base64Bytes ?? 0,
    truncated: one.isCut === true,
    missing: one.missing ?? null,
  };
}

type Named = (call: ManagementCall) => Promise<NamedSubject>;

async function keyOf({ params: { id }, state }: ManagementCall): Promise<NamedSubject> {
  const apiKey = await getApiKey(state.services.store, id);
  if (!apiKey) throw notFound("API key", id);
  return { accountId: apiKey.accountId, keyId: id, name: apiKey.name };
}

async function userOf({ params: { id }, state }: ManagementCall): Promise<NamedSubject> {
  const user = await getUser(state.services.store, id);
  if (!user) throw notFound("user", id);
  return { accountId: id, name: user.email };
}

async function current(call: ManagementCall, subject: RecordedSubject) {
  const { services: { store }, nowMs } = call.state;
  const found = await getRecording(store, subject, nowMs);
  if (!found) throw notFound("recording", call.params.id);
  return { body: recordingJson(found) };
}

/** The operations that start and stop the recordings of one kind of subject. */
function switchesOf(path: string, what: string, named: Named) {
  return [
    operation(`POST ${path}/recording`, {
      summary: `Record requests and answers of ${what} for a time`,
      scope: "recordings:write",
      body: duration,
      answer: recording,
    }, async (call) => {
      const subject = await named(call);
      const hoursMax = 24 * call.state.services.config.limits.recordingDaysMax;
      if (call.body.hours > hoursMax) throw invalidField("hours", `must be at most ${hoursMax}`);
      await startRecordingOf(call, subject, call.body.hours);
      return await current(call, subject);
    }),
    operation(`DELETE ${path}/recording`, {
      summary: `Stop recording ${what}`,
      scope: "recordings:write",
    }, async (call) => {
      const subject = await named(call);
      await current(call, subject);
      await stopRecordingOf(call, subject);
    }),
  ];
}

/** The operations of recordings, and the contents of recorded calls. */
export const recordingOperations = [
  operation("GET /recordings", {
    summary: "List the recordings that run now",
    scope: "recordings:read",
    query: pageQuery,
    answer: listSchema(recording),
  }, async (call) => {
    const { services: { store }, nowMs } = call.state;
    const found = await listRecordings(store, { nowMs });
    return await pageReply(
      found,
      ({ accountId, keyId = "" }) => `${accountId} ${keyId}`,
      call,
      recordingJson,
    );
  }),
  ...switchesOf("/keys/{id}", "a key", keyOf),
  ...switchesOf("/users/{id}", "a user", userOf),
  operation("GET /calls/{id}/content", {
    summary: "Read the recorded request and answer of a call; each read is in the audit log",
    scope: "recordings:read",
    answer: content,
    errors: ["store_unavailable"],
  }, async (call) => {
    const { services: { store, archive: place }, account } = call.state;
    const id = readRequestId(call.params.id);
    const row = id && await lookUpCall({ store, place }, { id, accountId: account.token.id });
    const found = row && row !== "unreadable" ? await readContent(call, row) : undefined;
    if (!row || row === "unreadable" || !found) throw notFound("content of call", call.params.id);
    return {
      body: {
        call_id: row.id,
        deleted_at: timeText(found.expiresAtMs),
        messages: readableMessages(row, found.content).map(({ from, role, blocks }) => ({
          from,
          role,
          blocks: blocks.map(({ type, name, text }) => ({ type, name: name ?? null, text })),
        })),
        request: bodyJson(found.content.request),
        answer: bodyJson(found.content.answer),
      },
    };
  }),
];
