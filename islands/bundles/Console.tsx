/**
 * The islands of all pages but the playground, as one script: the browser fetches it once, on the
 * first page. A separate script for each would cost a request for each on every new page.
 */
export { default as ApplyFilters } from "../ApplyFilters.tsx";
export { default as ChartCursor } from "../ChartCursor.tsx";
export { default as CopyButton } from "../CopyButton.tsx";
export { default as CreateKey } from "../CreateKey.tsx";
export { default as DeleteKey } from "../DeleteKey.tsx";
export { default as DocsSearch } from "../DocsSearch.tsx";
export { default as LinkedForm } from "../LinkedForm.tsx";
export { default as LiveCalls } from "../LiveCalls.tsx";
export { default as LiveCheck } from "../LiveCheck.tsx";
export { default as Notice } from "../Notice.tsx";
export { default as OpenCalls } from "../OpenCalls.tsx";
export { default as PasskeyButton } from "../PasskeyButton.tsx";
export { default as SaveBar } from "../SaveBar.tsx";
export { default as SearchBox } from "../SearchBox.tsx";
export { default as SearchSteps } from "../SearchSteps.tsx";
export { default as SelectedCount } from "../SelectedCount.tsx";
export { default as Shortcuts } from "../Shortcuts.tsx";
export { default as ThemeSwitch } from "../ThemeSwitch.tsx";
export { default as TimeZone } from "../TimeZone.tsx";
