/** A value that is made at the first call and kept. After a failure, the next call tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
}
