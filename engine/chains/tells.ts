/** What a field of an event must be: a value, or a judgement of what is told, where more than one will do. */
export type Due<T> =
  | ((told: T) => boolean)
  | (T extends string ? string : T extends object ? { readonly [field in keyof T]: Due<T[field]> } : T)

/** For a field that is the venue's own affair. */
export const anything = (): boolean => true

const holds = (told: unknown, due: unknown): boolean => {
  if (typeof due === 'function') return due(told) === true
  if (typeof told !== 'object' || told === null || typeof due !== 'object' || due === null) return told === due
  const [is, must] = [new Map(Object.entries(told)), new Map(Object.entries(due))]
  return is.size === must.size && [...is].every(([name, value]) => must.has(name) && holds(value, must.get(name)))
}

/** Whether an event tells what is due. A field that nobody said what it must be is not held to, and so makes it another event. */
export const tells = <T>(told: T, due: Due<T>): boolean => holds(told, due)
