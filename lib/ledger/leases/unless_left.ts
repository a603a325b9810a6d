import { callerLeft } from "../../canonical/mod.ts";

/** Awaits a promise; throws `client_closed` if the caller disconnects first. */
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
