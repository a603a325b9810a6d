import type { Context } from "fresh";
import {
  type AssistantReply,
  dialects,
  ended,
  failedReply,
  fieldNames,
  type Fields,
  fieldsOf,
  grown,
  hear,
  type Lane,
  newReply,
  type Offer,
  parsedJson,
  possible,
  problemOf,
  promptTurns,
  readFields,
  readPlaygroundSettings,
  withTurn,
} from "../../playground/mod.ts";
import type { AccountState } from "../session/state.ts";
import { callFromConsole, choicesOf, receiptOf } from "./playground.ts";

/** The initial values of the playground. */
export interface OpenedPlayground {
  readonly fields: Fields;
  readonly lanes: readonly Lane[];
  /** The text of the message field. */
  readonly prompt: string;
}

/** The page that a link describes. */
export function openedBy(
  link: URLSearchParams,
  offer: Offer,
  state: AccountState,
): OpenedPlayground {
  const settings = readPlaygroundSettings(link);
  const choices = choicesOf(settings, offer, state);
  const lanes = choices.map((choice) => ({ choice: possible(choice, offer), turns: [] }));
  return { fields: fieldsOf(settings), lanes, prompt: "" };
}

/** The page after a form was posted without a script: one message and its complete answer. */
export async function answered(
  ctx: Pick<Context<AccountState>, "state" | "req" | "url" | "info">,
  form: URLSearchParams,
  offer: Offer,
): Promise<OpenedPlayground> {
  const fields: Fields = {
    ...fieldsOf(readPlaygroundSettings(form)),
    ...Object.fromEntries(fieldNames.map((name) => [name, form.get(name) ?? ""])),
    stream: false,
  };
  const prompt = form.get("prompt") ?? "";
  const { lanes: [lane] } = openedBy(form, offer, ctx.state);
  const { values } = readFields(fields);
  if (!values || !lane || prompt.trim() === "") {
    return { fields, lanes: lane ? [lane] : [], prompt };
  }
  const { model, format } = lane.choice;
  const asked = withTurn(lane, { role: "user", id: 1, text: prompt, attachments: [] });
  const turns = promptTurns(asked.turns, format);
  const request = dialects[format].request({ model, turns, ...values });
  const reply = await replyTo(ctx, newReply(asked, { id: 2, request }), lane.choice.groupId);
  return { fields, lanes: [withTurn(asked, reply)], prompt: "" };
}

async function replyTo(
  ctx: Pick<Context<AccountState>, "state" | "req" | "url" | "info">,
  begun: AssistantReply,
  groupId: string,
): Promise<AssistantReply> {
  const { path, body } = begun.request;
  const response = await callFromConsole(ctx, { path, groupId, body: JSON.stringify(body) });
  const requestId = response.headers.get("x-request-id") ?? "";
  let reply: AssistantReply = { ...begun, requestId };
  if (response.ok) {
    for await (const heard of hear(response, dialects[begun.format])) {
      reply = grown(reply, heard);
    }
    reply = ended(reply);
  } else {
    const raw = await response.text();
    const retryAfter = response.headers.get("retry-after");
    const problem = problemOf(parsedJson(raw), { status: response.status, retryAfter });
    reply = failedReply({ ...reply, raw }, problem);
  }
  const receipt = await receiptOf(ctx.state, requestId);
  return { ...reply, ...(receipt && { receipt }) };
}
