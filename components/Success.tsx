import { Status } from "./States.tsx";

/** Below this share of successful calls, it is marked. */
const poorShare = 0.95;

/** The share of calls that succeeded, as `text`. */
export function Success({ share, text }: { share: number; text: string }) {
  return share < poorShare ? <Status tone="warn">{text}</Status> : <>{text}</>;
}
