/** Runs work for every item, at most `limit` at once. Resolves with the results in the order of the items. */
export const mapAtOnce = async <T, R>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = []
  const entries = [...items].entries()
  const lane = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: limit }, lane))
  return results
}
