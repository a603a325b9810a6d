/** The time between two drawings of a stream. */
const pauseMs = 50;

/** Shows the last of several values at a time, so that a fast stream is not drawn piece by piece. */
export function paced<Value>(show: (value: Value) => void) {
  let last: { readonly value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (last) show(last.value);
    last = undefined;
  };
  return {
    put(value: Value): void {
      last = { value };
      timer ??= setTimeout(flush, pauseMs);
    },
    /** Shows the last value now. */
    flush,
  };
}
