/** The records of running isolates and their calls in flight. */
export {
  type BeatenIsolate,
  type InFlight,
  type InFlightChunk,
  type Isolate,
  type IsolateEntry,
  listBeats,
  listInFlight,
  listIsolates,
  markSwept,
  registerIsolate,
  removeIsolate,
  storeHeartbeat,
} from "./isolate.ts";
export { claimStart, takePass } from "./turns.ts";
