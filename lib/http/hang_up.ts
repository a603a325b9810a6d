/**
 * Closes the connection after a 408. Its request never arrived completely, and Deno.serve would
 * wait for the rest forever, whatever `connection` says: it closes a connection only if an answer
 * breaks off (Deno 2.8.2). So this one breaks off after its last byte.
 */
export function hangUpWhenLate(answer: Response): Response | Promise<Response> {
  return answer.status === 408 ? brokenOff(answer) : answer;
}

async function brokenOff(answer: Response): Promise<Response> {
  const bytes = await answer.bytes();
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  return new Response(endingIn(bytes), { status: answer.status, headers });
}

/** Breaks a body off after the bytes passed on so far; bytes not yet sent are lost. */
export async function errorOnceSent(
  controller: ReadableStreamDefaultController<Uint8Array>,
  error: Error,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, sentMs));
  controller.error(error);
}

const sentMs = 20;

/** A body that breaks off after its last byte, which closes the connection. */
function endingIn(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const waiting = [bytes];
  return new ReadableStream({
    pull: async (controller) => {
      const next = waiting.shift();
      if (next) return controller.enqueue(next);
      await errorOnceSent(controller, new Error("The request never arrived completely"));
    },
  }, { highWaterMark: 0 });
}
