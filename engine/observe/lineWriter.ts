/** Tries to write a block once, and reports the written bytes and the error. Calls back once, and never throws. */
export type WriteBlock = (block: Buffer, done: (error: Error | null, writtenBytes: number) => void) => void

export type LineWriterOptions = {
  readonly write: WriteBlock
  /** The line that reports how many lines were dropped before it. */
  readonly tellDropped: (lines: number) => string
  /** The size of a write; a smaller one happens only after `flushMs`. */
  readonly blockBytes: number
  /** The longest wait of a line, and the pause of the writer after a failure. */
  readonly flushMs: number
  /** How much is held while writes fail. Further lines are dropped, and counted. */
  readonly heldBytesMax: number
  /** How long closing waits for unwritten lines. */
  readonly closeMs: number
}

export type LineWriter = {
  write(line: string): void
  /** Writes the held lines within the time limit. Never rejects. False: a write is still pending. */
  close(): Promise<boolean>
}

/** Writes lines to a place that may be full, gone or stalled. Callers neither wait nor see errors, and the memory is bounded. */
export const createLineWriter = (options: LineWriterOptions): LineWriter => {
  const { write, tellDropped, blockBytes, flushMs, heldBytesMax, closeMs } = options
  let lines: string[] = []
  let waitingBytes = 0
  /** The block that is being written, or that failed. */
  let block: Buffer | null = null
  let isWriting = false
  let isFailing = false
  let droppedLines = 0
  let isClosed = false
  const end = Promise.withResolvers<void>()

  const nextBlock = (): Buffer | null => {
    if (droppedLines > 0) lines.push(tellDropped(droppedLines))
    droppedLines = 0
    const text = lines.join('')
    lines = []
    waitingBytes = 0
    return text === '' ? null : Buffer.from(text)
  }

  const flush = (): void => {
    if (isWriting) return
    block ??= nextBlock()
    if (block === null) return
    isWriting = true
    write(block, written)
  }

  const written = (error: Error | null, writtenBytes: number): void => {
    const rest = block?.subarray(writtenBytes)
    block = rest?.length ? rest : null
    isWriting = false
    isFailing = error !== null
    const isAllOut = block === null && lines.length === 0 && droppedLines === 0
    if (isClosed && (isFailing || isAllOut)) end.resolve()
    else if (!isFailing && (block !== null || isClosed || waitingBytes >= blockBytes)) flush()
  }

  const timer = setInterval(flush, flushMs)
  timer.unref()

  return {
    write: (line) => {
      if (isClosed) return
      const bytes = Buffer.byteLength(line)
      if ((block?.length ?? 0) + waitingBytes + bytes > heldBytesMax) {
        droppedLines += 1
        return
      }
      lines.push(line)
      waitingBytes += bytes
      // While it fails only the timer retries, not every line.
      if (waitingBytes >= blockBytes && !isFailing) flush()
    },
    close: async () => {
      clearInterval(timer)
      isClosed = true
      flush()
      if (!isWriting) return true
      const limit = setTimeout(end.resolve, closeMs)
      await end.promise
      clearTimeout(limit)
      return !isWriting
    },
  }
}
