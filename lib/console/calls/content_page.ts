import { HttpError } from "fresh";
import { lookUpCall, readRequestId } from "../../admin/calls.ts";
import { bodyText, type ReadableMessage, readableMessages } from "../../admin/readable_content.ts";
import { mayReadContent, readContent } from "../../admin/recordings.ts";
import type { RequestLogRow } from "../../store/log/mod.ts";
import type { RecordedBody } from "../../store/recordings/mod.ts";
import type { PageAuditContext } from "../session/state.ts";
import { shownText } from "./shown_text.ts";

/** Longer texts are shown up to here, and can be downloaded. */
const charsShown = 20_000;

/** A text of a recorded call on its page. */
export interface ShownText {
  readonly text: string;
  /** True if it has more than is shown. */
  readonly isLonger: boolean;
}

/** The request or the answer as it was sent. */
export type ShownBody = ShownText & Omit<RecordedBody, "text">;

/** A message on the page of a recorded call. */
export interface ShownMessage extends Pick<ReadableMessage, "from" | "role"> {
  readonly blocks: readonly (Omit<ReadableMessage["blocks"][number], "text"> & ShownText)[];
}

/**
 * Reads the call of an address and its content, as the person who reads it: an administrator who
 * impersonates a user is named in the audit log. Throws `HttpError` 404 for a call that the reader
 * may not see.
 */
async function readRecorded(wanted: string, ctx: PageAuditContext) {
  const { services: { store, archive: place }, account } = ctx.state;
  const { viewer: user = account.user } = account;
  const id = readRequestId(wanted);
  const call = id && await lookUpCall({ store, place }, { id, accountId: user.id });
  if (!call || call === "unreadable" || !mayReadContent(user, call)) throw new HttpError(404);
  const state = { ...ctx.state, account: { ...account, user } };
  return { call, found: await readContent({ info: ctx.info, state }, call) };
}

/** The data of the page of a recorded call. */
export async function readContentPage(wanted: string, ctx: PageAuditContext) {
  const { call, found } = await readRecorded(wanted, ctx);
  if (!found) return { call };
  const { content, expiresAtMs } = found;
  return {
    call,
    expiresAtMs,
    messages: readableMessages(call, content).map(shownMessage),
    request: content.request && shownBody(content.request),
    answer: content.answer && shownBody(content.answer),
  };
}

/** The whole text of a request or an answer; undefined if there is none. */
export async function readContentText(
  wanted: string,
  part: "request" | "answer",
  ctx: PageAuditContext,
): Promise<{ readonly call: RequestLogRow; readonly text?: Uint8Array }> {
  const { call, found } = await readRecorded(wanted, ctx);
  return { call, text: found?.content[part]?.text };
}

function shownMessage({ from, role, blocks }: ReadableMessage): ShownMessage {
  return { from, role, blocks: blocks.map((block) => ({ ...block, ...shown(block.text) })) };
}

function shownBody({ text, ...facts }: RecordedBody): ShownBody {
  return { ...facts, ...shown(indented(bodyText({ text }))) };
}

function shown(text: string): ShownText {
  const isLonger = text.length > charsShown;
  return { text: shownText(isLonger ? text.slice(0, charsShown) : text), isLonger };
}

/** JSON on several lines; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
