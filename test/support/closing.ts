import { afterEach } from 'vitest'

/** Returns a function for what a test opens: it is closed after the test, the last opened first. Call this once in a file. */
export const closing = () => {
  const opened: { close(): unknown }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })
  return <T extends { close(): unknown }>(one: T): T => {
    opened.push(one)
    return one
  }
}
