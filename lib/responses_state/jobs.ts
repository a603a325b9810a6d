/** A running background response. */
interface Job {
  /** Cancels it immediately. */
  abort(): void;
  /** Resolves once its end is stored. */
  readonly over: Promise<void>;
}

/** The background responses that this isolate runs. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();

  add(accountId: string, id: string, job: Job): void {
    const name = nameOf(accountId, id);
    this.#jobs.set(name, job);
    void job.over.finally(() => this.#jobs.delete(name));
  }

  /** Cancels a response of this isolate and waits until its call is settled. Ignores all others. */
  async abort(accountId: string, id: string): Promise<void> {
    const job = this.#jobs.get(nameOf(accountId, id));
    job?.abort();
    await job?.over;
  }

  /** Waits until all responses have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ over }) => over));
  }
}

function nameOf(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
