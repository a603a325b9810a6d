import { argon2id, argon2Verify } from "hash-wasm";

/** The least that OWASP's password storage cheat sheet asks of argon2id (2024): 19 MiB, two passes. */
const strength = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;
const saltBytes = 16;

/** Takes about 60 ms of processor: call it in the worker, never in a thread that serves. */
export function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  return argon2id({ ...strength, password: typed(password), salt, outputType: "encoded" });
}

export function verifyPassword(password: string, hash: string): Promise<boolean> {
  return argon2Verify({ password: typed(password), hash });
}

/** Keyboards write the same letter in different ways (RFC 8265). */
function typed(password: string): string {
  return password.normalize("NFC");
}
