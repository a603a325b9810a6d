import type { RequestLogRow } from "../store/log/mod.ts";

type LabelValues = Readonly<Record<"format" | "model" | "upstream" | "group", string>>;

/** A set of labels that many calls share. */
export interface CallSeries {
  readonly labels: LabelValues;
  /** The same without the group, for histograms, each of which has many lines; one object for each set. */
  readonly timed: Omit<LabelValues, "group">;
}

/** Replaces names beyond a bound, and names that no upstream serves. */
const otherLabel = "other";
/** The upstream of calls that reached none. */
const noUpstream = "none";
const modelsMax = 200;
const modelCharsMax = 200;
const seriesMax = 1_000;

/**
 * The labels of calls, in bounded sets: callers choose model names, and each new set of labels costs
 * memory here and in every database that reads the metrics. A model has its own label once it has
 * answered, or if it is configured.
 */
export class CallLabels {
  readonly #series = new Map<string, CallSeries>();
  readonly #timed = new Map<string, CallSeries["timed"]>();
  readonly #models = new Set<string>();
  readonly #isConfigured: (model: string) => boolean;

  constructor(isConfigured: (model: string) => boolean) {
    this.#isConfigured = isConfigured;
  }

  of(row: RequestLogRow): CallSeries {
    const { format, groupId: group, upstreamId: upstream = noUpstream } = row;
    const labels = { format, model: this.#modelOf(row), upstream, group };
    const name = nameOf(labels);
    return this.#series.get(name) ?? this.#added(name, labels);
  }

  #added(name: string, labels: LabelValues): CallSeries {
    if (this.#series.size < seriesMax) return this.#kept(name, labels);
    const rest = {
      format: labels.format,
      model: otherLabel,
      upstream: otherLabel,
      group: otherLabel,
    };
    const restName = nameOf(rest);
    return this.#series.get(restName) ?? this.#kept(restName, rest);
  }

  #kept(name: string, labels: LabelValues): CallSeries {
    const { format, model, upstream } = labels;
    const timed = this.#timed.getOrInsertComputed(
      nameOf({ ...labels, group: "" }),
      () => ({ format, model, upstream }),
    );
    const series = { labels, timed };
    this.#series.set(name, series);
    return series;
  }

  #modelOf(row: RequestLogRow): string {
    const { model } = row;
    if (this.#models.has(model)) return model;
    const isFull = this.#models.size >= modelsMax || model.length > modelCharsMax;
    const hasAnswered = row.outcome === "completed" && row.upstreamId !== undefined;
    if (isFull || !(hasAnswered || this.#isConfigured(model))) return otherLabel;
    this.#models.add(model);
    return model;
  }
}

/** The model is last, because only it may hold spaces. */
function nameOf({ format, model, upstream, group }: LabelValues): string {
  return `${format} ${group} ${upstream} ${model}`;
}
