/** For tests that are not about what an adapter tells the operator. */
export const unnoticed = (): void => undefined
