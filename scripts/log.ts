import { fstatSync, write as writeFile } from 'node:fs'
import { pino } from 'pino'
import type { Config } from '../engine/config/config.ts'
import type { LogSink } from '../engine/observe/jsonLog.ts'
import { createLineWriter, type LineWriter, type WriteBlock } from '../engine/observe/lineWriter.ts'
import { type LogEvent, levelOf } from '../engine/observe/observe.ts'

export type Log = {
  readonly sink: LogSink
  /** Writes the buffered lines, within a second at most. Never rejects. */
  close(): Promise<void>
}

/** The log is written in blocks: single lines would cost a tenth of the work of a quote. */
const BLOCK_BYTES = 4_096
const FLUSH_MS = 500
const HELD_BYTES_MAX = 1024 * 1024
const CLOSE_MS = 1_000

const STANDARD_OUTPUT = 1

const ignore = (): void => undefined

/** Without a listener an error of the stream would end the process. The callback of each write reports errors. */
const outlive = (stream: NodeJS.WriteStream): void => {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

const toPipe: WriteBlock = (block, done) => {
  process.stdout.write(block, (error) => done(error ?? null, error ? 0 : block.length))
}

const toFile: WriteBlock = (block, done) => writeFile(STANDARD_OUTPUT, block, (error, bytes) => done(error, bytes ?? 0))

/** Node writes to a pipe or socket without waiting for its reader. */
const isPipe = (): boolean => {
  const place = fstatSync(STANDARD_OUTPUT)
  return place.isFIFO() || place.isSocket()
}

/** Prints a line for the operator on standard error, which may be closed. */
export const say = (line: string): void => {
  outlive(process.stderr)
  process.stderr.write(`${line}\n`)
}

const droppedLine = (dropped: LogEvent): string =>
  `${JSON.stringify({ level: pino.levels.values[levelOf(dropped)], time: Date.now(), ...dropped })}\n`

type Lines = LineWriter & { readonly isToPipe: boolean }

const openLines = (onDropped: (event: LogEvent) => void): Lines => {
  const isToPipe = isPipe()
  if (isToPipe) outlive(process.stdout)
  const writer = createLineWriter({
    // A thread writes to files and terminals: a slow disk or a halted terminal does not block the service.
    write: isToPipe ? toPipe : toFile,
    tellDropped: (lines) => {
      const dropped: LogEvent = { event: 'log.dropped', lines }
      onDropped(dropped)
      return droppedLine(dropped)
    },
    blockBytes: BLOCK_BYTES,
    flushMs: FLUSH_MS,
    heldBytesMax: HELD_BYTES_MAX,
    closeMs: CLOSE_MS,
  })
  return { ...writer, isToPipe }
}

const closeLines = async ({ close, isToPipe }: Lines): Promise<void> => {
  const isOver = await close()
  // A process waits for its threads before it exits, and a thread may hang in a write forever.
  if (!isOver && !isToPipe) process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
}

/** Writes lines of other processes to standard output. */
export const createRelay = (): { write(line: string): void; close(): Promise<void> } => {
  const lines = openLines(ignore)
  return { write: lines.write, close: () => closeLines(lines) }
}

/** Writes JSON lines to standard output. Lines that cannot be written are dropped, and `onDropped` receives their number. */
export const createLog = (level: Config['logLevel'], onDropped: (event: LogEvent) => void = ignore): Log => {
  if (level === 'silent') return { sink: ignore, close: async () => undefined }
  const lines = openLines(onDropped)
  const logger = pino({ level: level === 'error' ? 'warn' : level, base: null }, { write: lines.write })
  return { sink: ({ level: of, ...fields }) => logger[of](fields), close: () => closeLines(lines) }
}
