/** The minimum for argon2id of OWASP's password storage cheat sheet (2024): 19 MiB, two passes. */
const strength = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;
const saltBytes = 16;

/** Hashes a password. Takes about 60 ms of CPU time, so call it only in the worker. */
export async function hashPassword(password: string): Promise<string> {
  const { argon2id } = await import("hash-wasm");
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  return await argon2id({ ...strength, password: typed(password), salt, outputType: "encoded" });
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const { argon2Verify } = await import("hash-wasm");
  return await argon2Verify({ password: typed(password), hash });
}

/** Normalizes a password, because keyboards encode the same letter differently (RFC 8265). */
function typed(password: string): string {
  return password.normalize("NFC");
}
