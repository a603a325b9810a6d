/** From a model's name to the upstreams to try. Pure over what it is given. */
export { candidatesFor, type Wanted } from "./candidates.ts";
export { firstSuccess } from "./first_success.ts";
