/** Shows how far long work has come. */
export interface Progress {
  at(done: number, all: number | null): void
  end(): void
}

const CLEAR_LINE = '\r\u001b[2K'

/** One line on standard error that is written over again; nothing where that is no terminal. */
export const createProgress = (what: string): Progress => {
  const { isTTY } = process.stderr
  return {
    at: (done, all) => {
      if (isTTY) process.stderr.write(`${CLEAR_LINE}${what} ${done}${all === null ? '' : ` of ${all}`}`)
    },
    end: () => {
      if (isTTY) process.stderr.write(CLEAR_LINE)
    },
  }
}
