import { callerLeft } from "../../canonical/mod.ts";

/** Waits for a promise, but no longer than the caller: throws `client_closed` once it has left. */
export async function unlessLeft(waited: Promise<void>, caller?: AbortSignal): Promise<void> {
  if (!caller) return await waited;
  if (caller.aborted) throw callerLeft();
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(callerLeft());
  caller.addEventListener("abort", leave);
  try {
    await Promise.race([waited, promise]);
  } finally {
    caller.removeEventListener("abort", leave);
  }
}
