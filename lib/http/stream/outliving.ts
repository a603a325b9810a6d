/**
 * The same body for a caller; read to its end also if the caller disconnects before. `over` is called
 * once, at the end.
 */
export function outliving(
  body: ReadableStream<Uint8Array>,
  caller: AbortSignal,
  over: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isDetached = false; // the caller has left, or has read everything
  const leave = async () => {
    if (isDetached) return;
    isDetached = true;
    await readToEnd(reader);
    over();
  };
  caller.addEventListener("abort", () => void leave(), { once: true });
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await reader.read().catch((error) => ({ error }));
      if (isDetached) return;
      if ("value" in next && !next.done) return controller.enqueue(next.value);
      isDetached = true;
      over();
      if ("error" in next) controller.error(next.error);
      else controller.close();
    },
    cancel: () => void leave(),
  }, { highWaterMark: 0 });
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // a failure was reported where it happened
  }
}
