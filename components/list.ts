/** The parts of a list page. */
export { A } from "./A.tsx";
export { ListPanel } from "./ListPanel.tsx";
export { type ColumnsOf, ListTable, type PanelProps } from "./Table.tsx";
export { Status } from "./States.tsx";
export { Time } from "./values.tsx";
export { untranslated } from "./untranslated.ts";
