/** A response on its way, made beside its caller. */
interface Job {
  /** Ends it at once. */
  abort(): void;
  /** Resolves once nothing is left to do for it. */
  readonly over: Promise<void>;
}

/** The background responses that this isolate makes. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();

  add(accountId: string, id: string, job: Job): void {
    const name = nameOf(accountId, id);
    this.#jobs.set(name, job);
    void job.over.finally(() => this.#jobs.delete(name));
  }

  /** Ends one that is made here, and waits until its call is settled; nothing where it is not. */
  async abort(accountId: string, id: string): Promise<void> {
    const job = this.#jobs.get(nameOf(accountId, id));
    job?.abort();
    await job?.over;
  }

  /** Waits until all have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(({ over }) => over));
  }
}

function nameOf(accountId: string, id: string): string {
  return `${accountId} ${id}`;
}
