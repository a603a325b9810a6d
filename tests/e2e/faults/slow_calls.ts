import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { postTo } from "./faulty_gateway.ts";
import { type Judged, judgeStream } from "./judged.ts";
import { bodySizes } from "../sized_body.ts";
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

/** A streamed call to its end: the callers' formats in turn, every other four converted; where it is so `sized`, the first with a body of 1 MB and every other of the rest with 20 KB. */
export async function callSlowly(base: string, at: number, sized = false): Promise<Judged> {
  const caller = formatNames[at % 4];
  const spoken = formatNames[at % 8 < 4 ? at % 4 : (at + 1) % 4];
  const asking = {
    model: modelFor(spoken),
    stream: true,
    bytes: sized ? bodySizes[at === 0 ? 2 : at % 2].bytes : 0,
  };
  const response = await postTo({ base }, caller, asking);
  return judgeStream(caller, await response.text());
}
