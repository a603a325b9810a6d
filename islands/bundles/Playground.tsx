/** Apart, because it is larger than all others together. */
export { default } from "../Playground.tsx";
