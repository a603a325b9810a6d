import { Counter, type CounterConfiguration } from "prom-client";

/** A counter of every call: a plain sum for each set of labels, added up only when it is read. */
export class PlainCounts<Label extends string> {
  readonly #sums = new Map<unknown, Map<string, Sum<Label>>>();

  constructor(configuration: CounterConfiguration<Label>) {
    const addSums = (counter: Counter<Label>) => this.#addTo(counter);
    new Counter({
      ...configuration,
      collect() {
        addSums(this);
      },
    });
  }

  /**
   * `owner` and `name` identify the set of labels, which is made for its first count only. Two short
   * look-ups cost less than one by a long name.
   */
  add(owner: unknown, name: string, count: number, labels: () => Record<Label, string>): void {
    const sums = this.#sums.getOrInsertComputed(owner, () => new Map());
    const sum = sums.get(name);
    if (sum) sum.count += count;
    else sums.set(name, { labels: labels(), count });
  }

  #addTo(counter: Counter<Label>): void {
    for (const sums of this.#sums.values()) {
      for (const { labels, count } of sums.values()) counter.inc(labels, count);
    }
    this.#sums.clear();
  }
}

interface Sum<Label extends string> {
  readonly labels: Record<Label, string>;
  count: number;
}
