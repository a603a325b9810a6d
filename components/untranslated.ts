/**
 * Marks a name, an id or code that browsers should not translate. Sound: HTML has the words "yes"
 * and "no" here, where Preact's types have a boolean.
 */
export const untranslated = { translate: "no" as unknown as boolean };
