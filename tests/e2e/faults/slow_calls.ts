import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { bodySizes } from "../load/sized_body.ts";
import { postTo } from "./faulty_gateway.ts";
import { type Judged, judgeStream } from "./judged.ts";
import type { SlowUpstream } from "./slow_upstream.ts";

const modelFor = (format: FormatName) => `slow-${format}`;

/** A gateway's configuration before slow upstreams of all formats. */
export function slowConfig({ base }: SlowUpstream) {
  return {
    upstreams: formatNames.map((format) => ({
      id: format,
      endpoints: { [format]: base(format) },
      apiKeys: ["up-secret"],
      models: [modelFor(format)],
    })),
  };
}

/** Sizes of calls of agents: the first 1 MB, every other of the rest 20 KB. */
export function sizeAt(at: number): number {
  return bodySizes[at === 0 ? 2 : at % 2].bytes;
}

/** A streamed call to its end: the callers' formats in turn, every other four converted. */
export async function callSlowly(base: string, at: number, bytes = 0): Promise<Judged> {
  const caller = formatNames[at % 4];
  const spoken = formatNames[at % 8 < 4 ? at % 4 : (at + 1) % 4];
  const response = await postTo({ base }, caller, { model: modelFor(spoken), stream: true, bytes });
  return judgeStream(caller, await textSoFar(response));
}
