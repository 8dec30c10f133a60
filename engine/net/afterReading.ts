/**
 * Runs work once all that the sockets hold by now has been read, and what reading it sets off has run. Timers that came due while
 * the event loop was busy run before that: what they would end may be answered already.
 */
export const afterReading = (work: () => void): void => {
  // The first ends the turn whose sockets were looked at already; before the second they are looked at once more.
  setImmediate(() => setImmediate(work))
}
