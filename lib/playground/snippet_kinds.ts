/** The languages of code snippets, apart from their writers, which load with the first snippet. */
export const snippetKinds = ["curl", "python", "typescript"] as const;
export type SnippetKind = typeof snippetKinds[number];
