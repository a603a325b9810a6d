import { countRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { LogChip } from "./log_chips.ts";
import { filterOf, type LogSearch } from "./log_search.ts";

/** The filter whose removal would find the most calls. */
export interface Exclusion {
  readonly chip: LogChip;
  readonly count: number;
  /** True if there may be more than `count`. */
  readonly more: boolean;
}

/** Maximum number of calls counted per filter, and of filters counted. */
const countMax = 100;
const chipsMax = 6;

/** The filter that excludes most calls of a search that found nothing; undefined if none does by itself. */
export async function mostExcluding(
  store: Store,
  chips: readonly LogChip[],
  ownId: string,
): Promise<Exclusion | undefined> {
  const counted = await Promise.all(
    chips.slice(0, chipsMax).map(async (chip) => ({
      chip,
      ...await countRequestLogs(store, filterOf(chip.search satisfies LogSearch, ownId), countMax),
    })),
  );
  const [most] = counted.sort((a, b) => b.count - a.count || Number(b.more) - Number(a.more));
  return most && most.count > 0 ? most : undefined;
}
