/**
 * Returns the value, or undefined if reading it fails, so that only one panel of the page reports
 * the failure. Logs the failure.
 */
export async function tryLoad<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    console.error("Console: cannot read from the store", error);
    return undefined;
  }
}
