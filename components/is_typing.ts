/** Returns true if keys pressed at an element change its text or its choice. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
}
