/** The names of the failed checks. */
export const failing = (checks: { readonly [name: string]: boolean }): readonly string[] =>
  Object.keys(checks).filter((name) => !checks[name])
