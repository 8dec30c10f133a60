/** The required value of a field of an event, or a function that judges the value, where more than one will do. */
export type Due<T> =
  | ((told: T) => boolean)
  | (T extends string ? string : T extends object ? { readonly [field in keyof T]: Due<T[field]> } : T)

/** For a field that only matters to the venue. */
export const anything = (): boolean => true

const holds = (told: unknown, due: unknown): boolean => {
  if (typeof due === 'function') return due(told) === true
  if (typeof told !== 'object' || told === null || typeof due !== 'object' || due === null) return told === due
  const [is, must] = [new Map(Object.entries(told)), new Map(Object.entries(due))]
  return is.size === must.size && [...is].every(([name, value]) => must.has(name) && holds(value, must.get(name)))
}

/** Whether an event matches its required fields. An event with a field that `due` does not name does not match. */
export const tells = <T>(told: T, due: Due<T>): boolean => holds(told, due)
