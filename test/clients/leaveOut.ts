/**
 * Whether a suite is left out because the machine lacks what it runs. It is said plainly, and in CI it is a failure: there
 * `.ci/run` installs what is missing.
 */
export const leaveOut = (what: string, debianPackage: string, isThere: boolean): boolean => {
  if (isThere) return false
  const text = `${what} is left out: it needs what Debian has in ${debianPackage}`
  if (process.env['CI']) throw new Error(text)
  process.stderr.write(`\n${text}\n\n`)
  return true
}
