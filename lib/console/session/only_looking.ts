/** Why something is refused while an administrator looks at another user's console. */
export const onlyLooking = "only looking";
