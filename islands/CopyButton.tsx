/** Registers the component as an island: Fresh recognizes islands by their function. */
export { CopyButton as default } from "../components/CopyButton.tsx";
