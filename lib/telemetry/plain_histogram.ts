import type { Metric, Registry } from "prom-client";

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** The upper bounds, ascending. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

/** The values of one set of labels. */
interface Observed {
  /** The values in each bucket alone; those beyond the last bound are only counted. */
  readonly counts: number[];
  count: number;
  sum: number;
}

type Labels = Readonly<Record<string, string>>;

/** A histogram of every call: plain counts for each set of labels, summed only when it is read. */
export class PlainHistogram {
  readonly #options: HistogramOptions;
  readonly #observed = new Map<Labels, Observed>();

  constructor(options: HistogramOptions) {
    const { name, help, registry } = this.#options = options;
    const metric = {
      name,
      help,
      type: "histogram",
      get: () => ({ ...metric, values: this.#values() }),
    };
    registry.registerMetric(metric as unknown as Metric); // a registry only calls `get`
  }

  /** Shows a set of labels with zeros, before its first value. */
  show(labels: Labels): Observed {
    const counts = this.#options.buckets.map(() => 0);
    const observed = { counts, count: 0, sum: 0 };
    this.#observed.set(labels, observed);
    return observed;
  }

  /** Equal sets of labels must be one object. */
  observe(labels: Labels, value: number): void {
    const { buckets } = this.#options;
    const observed = this.#observed.get(labels) ?? this.show(labels);
    observed.sum += value;
    observed.count++;
    for (let at = 0; at < buckets.length; at++) {
      if (value > buckets[at]) continue;
      observed.counts[at]++;
      return;
    }
  }

  #values() {
    return [...this.#observed].flatMap(([labels, { counts, count, sum }]) => {
      const { name, buckets } = this.#options;
      let below = 0;
      const bounded = buckets.map((le, at) => ({ le, value: below += counts[at] }));
      return [
        ...[...bounded, { le: "+Inf", value: count }].map(({ le, value }) => ({
          metricName: `${name}_bucket`,
          labels: { le, ...labels },
          value,
        })),
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}
