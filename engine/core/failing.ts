/** The names of the conditions that do not hold, in their order. */
export const failing = (conditions: { readonly [name: string]: boolean }): readonly string[] =>
  Object.keys(conditions).filter((name) => !conditions[name])
