import { lenientText } from "../../bytes.ts";
import { callerLeft } from "../../canonical/mod.ts";
import { Deadline } from "../deadline.ts";
import { unlessAborted } from "../reach.ts";
import { readBeginning } from "../refusal.ts";
import { type Send, UpstreamAnswer } from "../send.ts";
import { maskedIn } from "../upstream_words.ts";
import { SourceAccess } from "./access.ts";
import { askThrough } from "./ask.ts";
import type { Machine } from "./context.ts";

/**
 * A `send` that authorizes requests by their credential source, and sends one again with a new token
 * if the upstream says that the former has expired. All other requests are sent as they are.
 */
export function withSources(
  send: Send,
  { machine, now = Date.now }: { readonly machine: Machine; readonly now?: () => number },
): Send {
  const access = new SourceAccess({ ask: askThrough(send), machine, now });
  const sendAuthorized: Sends = async (outbound, timeouts, caller) => {
    const first = await unlessGone(caller, access.authorize(outbound));
    const answer = await send(first.outbound, timeouts, caller);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const refusal = lenientText(await readBeginning(answer, refusalBytesMax));
    if (!saysExpired(refusal, answer.headers)) {
      const deadline = new Deadline(timeouts, { caller, onClose: () => {} });
      // AWS quotes the request that it would have signed, session token included
      return restored(answer, maskedIn(refusal, first.secrets), deadline);
    }
    first.refuse();
    const second = await unlessGone(caller, access.authorize(outbound));
    return await send(second.outbound, timeouts, caller);
  };
  const sent: Sends = (outbound, timeouts, caller, sockets) =>
    outbound.source === undefined
      ? send(outbound, timeouts, caller, sockets)
      : sendAuthorized(outbound, timeouts, caller);
  return Object.assign(sent, { endAll: send.endAll, ended: send.ended });
}

type Sends = (...call: Parameters<Send>) => ReturnType<Send>;

const refusalBytesMax = 64 * 1024;

/** A caller that disconnects does not end the request for a token, which is for others, too. */
async function unlessGone<T>(caller: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await unlessAborted(caller, work);
  } catch (thrown) {
    throw caller.aborted ? callerLeft() : thrown;
  }
}

/** The words of AWS, Google and Microsoft; Google's do not say why a token is invalid. */
const expiredWords = /expired|invalid authentication credentials/i;
/** AWS's words for a wrong clock, which no new token puts right. */
const clockWords = /signature (expired|not yet current)/i;

function saysExpired(refusal: string, headers: Headers): boolean {
  const named = ["x-amzn-errortype", "www-authenticate"].map((name) => headers.get(name));
  const words = [refusal, ...named].join(" ");
  return expiredWords.test(words) && !clockWords.test(words);
}

/** An answer that has been read, to be read again: as a byte stream, like any answer. */
function restored({ status, headers }: UpstreamAnswer, text: string, deadline: Deadline) {
  const body = new ReadableStream({
    type: "bytes",
    start: (controller) => {
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  return new UpstreamAnswer(new Response(body, { status, headers }), deadline);
}
