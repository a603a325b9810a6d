import { Counter, type CounterConfiguration } from "prom-client";

/** A counter of every call: a plain sum for each set of labels, added up only when it is read. */
export class PlainCounts<Label extends string> {
  readonly #sums = new Map<string, { readonly labels: Record<Label, string>; count: number }>();

  constructor(configuration: CounterConfiguration<Label>) {
    const addSums = (counter: Counter<Label>) => this.#addTo(counter);
    new Counter({
      ...configuration,
      collect() {
        addSums(this);
      },
    });
  }

  /** `name` identifies the set of labels, which is made for its first count only. */
  add(name: string, count: number, labels: () => Record<Label, string>): void {
    const sum = this.#sums.get(name);
    if (sum) sum.count += count;
    else this.#sums.set(name, { labels: labels(), count });
  }

  #addTo(counter: Counter<Label>): void {
    for (const { labels, count } of this.#sums.values()) counter.inc(labels, count);
    this.#sums.clear();
  }
}
