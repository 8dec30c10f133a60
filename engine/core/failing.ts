/** The names of the checks that do not hold. */
export const failing = (checks: { readonly [name: string]: boolean }): readonly string[] =>
  Object.keys(checks).filter((name) => !checks[name])
