import { afterEach } from 'vitest'

/** Closes after each test what was opened in it, in the order of opening. */
export const closedAfterEach = <A extends readonly unknown[], B extends { close(): Promise<void> }>(
  open: (...options: A) => Promise<B>,
): ((...options: A) => Promise<B>) => {
  const opened: B[] = []
  afterEach(async () => {
    for (const bench of opened.splice(0)) await bench.close()
  })
  return async (...options) => {
    const bench = await open(...options)
    opened.push(bench)
    return bench
  }
}
