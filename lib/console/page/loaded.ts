/**
 * What was read, or undefined where reading failed: then one panel says so and the rest of the page
 * still shows. The failure itself is reported.
 */
export async function loaded<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    console.error("Console: cannot read from the store", error);
    return undefined;
  }
}
