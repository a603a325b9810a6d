import { GatewayError } from "../canonical/mod.ts";
import { passwordLengthMax } from "../config/password.ts";
import type { Store } from "../store/mod.ts";
import { type PasswordJob, type PasswordResult, runPasswordJob } from "./password_hash.ts";

/** The dependencies of everything that stores a new password. */
export interface AccountDeps {
  readonly store: Store;
  readonly passwords: Pick<Passwords, "hash">;
  readonly nowMs: number;
}

/** Maximum number of checks that wait for the worker; each takes about 60 ms. */
const waitingMax = 64;
/** Extra places for known browsers: a flood from other browsers must not lock their users out. */
const waitingOfKnownMax = 16;

/** Checked for unknown users, so that they take as long as known ones. Nobody knows its password. */
const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$LNjMQjFLqIz1/zehH6QPww$dlw/W1ArhME1qe6WJRsnm+Wqk3rWD+p3DOpol8kL4kc";

/** Checked instead of an empty or too long password, so that it takes as long as others. */
const impossiblePassword = "-";

interface Waiting {
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hashes and checks passwords with argon2id in a worker, which starts with the first one at the
 * latest. Throws `rate_limit_exceeded` when too many wait.
 */
export class Passwords {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #jobs = 0;

  /** In PHC form. */
  async hash(password: string): Promise<string> {
    const value = await this.#ask({ type: "hash", id: ++this.#jobs, password });
    return String(value);
  }

  /**
   * Returns false if there is no hash or the password is empty or too long, after the same amount of
   * work as for any other password.
   */
  async verify(
    password: string,
    hash: string | undefined,
    { isKnown = false }: { readonly isKnown?: boolean } = {},
  ): Promise<boolean> {
    const isPossible = password !== "" && password.length <= passwordLengthMax;
    const possible = isPossible ? password : impossiblePassword;
    const job = { type: "verify", id: ++this.#jobs, password: possible } as const;
    const max = waitingMax + (isKnown ? waitingOfKnownMax : 0);
    const value = await this.#ask({ ...job, hash: hash ?? nobodysHash }, max);
    return hash !== undefined && value === true;
  }

  /** Starts the worker, if it does not run yet. Undefined if the platform has no workers. */
  start(): Worker | undefined {
    return this.#worker ??= this.#started();
  }

  /** Ends the worker; waiting jobs fail. */
  close(): void {
    this.#fail("the server is stopping");
  }

  #ask(job: PasswordJob, max = waitingMax): Promise<string | boolean> {
    if (this.#waiting.size >= max) throw tooMany();
    const worker = this.start();
    if (worker === undefined) return runPasswordJob(job);
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.id, { resolve, reject });
      worker.postMessage(job);
    });
  }

  #started(): Worker | undefined {
    if (typeof Worker === "undefined") return undefined;
    const worker = new Worker(new URL("./password_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<PasswordResult>) => this.#settle(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    return worker;
  }

  #settle(result: PasswordResult): void {
    const waiting = this.#waiting.get(result.id);
    this.#waiting.delete(result.id);
    if (result.type === "done") waiting?.resolve(result.value);
    else waiting?.reject(failure(result.reason));
  }

  /** Fails the waiting jobs; the next job starts a new worker. */
  #fail(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(failure(reason));
    this.#waiting.clear();
  }
}

function failure(reason: string): Error {
  return new Error(`Cannot work on password: ${reason}`);
}

function tooMany(): GatewayError {
  return new GatewayError(
    "rate_limit_exceeded",
    "Too many sign-ins at the moment. Try again shortly",
    { retryAfterSeconds: 2 },
  );
}
