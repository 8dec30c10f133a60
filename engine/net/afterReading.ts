/**
 * Runs work once all that the sockets hold by now has been read, and what reading it sets off has run. Timers that came due while
 * the event loop was busy run before that: what they would end may be answered already.
 */
export const afterReading = (work: () => void): void => {
  // The first ends the turn that has already polled its sockets; before the second, the loop polls them again.
  setImmediate(() => setImmediate(work))
}
