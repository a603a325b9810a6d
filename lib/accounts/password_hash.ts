/** Requests to the password worker, and its answers. */
export type PasswordJob =
  | { readonly type: "hash"; readonly id: number; readonly password: string }
  | {
    readonly type: "verify";
    readonly id: number;
    readonly password: string;
    readonly hash: string;
  };

export type PasswordResult =
  | { readonly type: "done"; readonly id: number; readonly value: string | boolean }
  | { readonly type: "failed"; readonly id: number; readonly reason: string };

/** Takes about 60 ms of CPU time, so it belongs in the worker. */
export function runPasswordJob(job: PasswordJob): Promise<string | boolean> {
  return job.type === "hash" ? hashPassword(job.password) : verifyPassword(job.password, job.hash);
}

/** The minimum for argon2id of OWASP's password storage cheat sheet (2024): 19 MiB, two passes. */
const strength = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;
const saltBytes = 16;

async function hashPassword(password: string): Promise<string> {
  const { argon2id } = await import("hash-wasm");
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  return await argon2id({ ...strength, password: typed(password), salt, outputType: "encoded" });
}

/** Checks a password against its hash, which may be one of bcrypt from another gateway. */
async function verifyPassword(password: string, hash: string): Promise<boolean> {
  if (isFormerHash(hash)) return await verifyBcrypt(typed(password), hash);
  const { argon2Verify } = await import("hash-wasm");
  return await argon2Verify({ password: typed(password), hash });
}

/** Returns true for a hash of bcrypt, which an import took over. */
export function isFormerHash(hash: string): boolean {
  return /^\$2[aby]?\$/.test(hash);
}

/** bcrypt reads no more; such a password has no hash of bcrypt. */
const bcryptBytesMax = 72;

async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  if (new TextEncoder().encode(password).length > bcryptBytesMax) return false;
  const { bcryptVerify } = await import("hash-wasm");
  return await bcryptVerify({ password, hash });
}

/** Normalizes a password, because keyboards encode the same letter differently (RFC 8265). */
function typed(password: string): string {
  return password.normalize("NFC");
}
