/**
 * The value, or undefined if reading it fails: one panel then reports the failure and the rest of the
 * page still shows. The failure is logged.
 */
export async function tryLoad<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    console.error("Console: cannot read from the store", error);
    return undefined;
  }
}
