import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** One line of the log, by any version. */
export type LogLine = { readonly event: string; readonly time: number; readonly [field: string]: unknown }

/** The lines of the log about an id, and the parts that could not be read. */
export type LogRead = {
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  readonly unread: readonly string[]
  /** The time of the log's first line, epoch ms; null without a line. */
  readonly beginsAt: number | null
}

/** The ids by which lines are found: of requests, quotes and swaps, and refs. */
export type Keys = {
  /** The id that the operator entered. */
  readonly asked: string
  readonly ids: ReadonlySet<string>
  /** The ids that belong to no request: callers choose request ids, and can use those of unrelated swaps. */
  readonly names: ReadonlySet<string>
  readonly swapIds: ReadonlySet<number>
}

/** The maximum number of lines about one id; the first ones are shown. */
const LINES_MAX = 5_000
/** Passes over the log: from a request to its quote, to the swap's other requests, to their subjects. */
const PASSES_MAX = 4
/** The service writes no line of this length. */
const LINE_BYTES_MAX = 16 * 1024 * 1024
/** Standard input is read once. */
const STANDARD_INPUT = '-'

/** Events about all swaps, not about one. */
const SHARED = new Set(['settlement.pass', 'settlement.stopped'])

const textsOf = (line: LogLine): readonly string[] =>
  [line['requestId'], line['quoteId'], line['ref'], line['txHash']].filter((value) => typeof value === 'string')

const isAbout = (line: LogLine, { asked, ids, names, swapIds }: Keys): boolean => {
  const isFalselyNamed = names.has(String(line['requestId']))
  if (line['requestId'] === asked && !isFalselyNamed) return true
  if (typeof line['swapId'] === 'number' && swapIds.has(line['swapId'])) return true
  // A pass of the settlement is one request for many swaps.
  const { quoteId } = line
  if (typeof quoteId === 'string') return ids.has(quoteId) || [line['ref'], line['txHash']].some((ref) => ids.has(String(ref)))
  const texts = isFalselyNamed ? textsOf({ ...line, requestId: null }) : textsOf(line)
  return !SHARED.has(line.event) && texts.some((text) => ids.has(text))
}

/** Adds the ids that the lines contain: the quotes and swaps of a request, and every request of these. */
const grow = (keys: Keys, lines: readonly LogLine[]): Keys => ({
  ...keys,
  ids: new Set([
    ...keys.ids,
    ...lines.flatMap(({ requestId, quoteId }) => [requestId, quoteId].filter((value) => typeof value === 'string')),
  ]),
  swapIds: new Set([...keys.swapIds, ...lines.flatMap(({ swapId }) => (typeof swapId === 'number' ? [swapId] : []))]),
})

/** Null for other text: a process manager may add lines, or a prefix to each line. */
const parseLine = (text: string): LogLine | null => {
  try {
    const line = JSON.parse(text.slice(text.indexOf('{'))) as Partial<LogLine> | null
    return typeof line?.event === 'string' && typeof line.time === 'number' ? (line as LogLine) : null
  } catch {
    return null
  }
}

const LINE_END = 0x0a

/** Fails at a line beyond the limit: such a file is no log of the service, and would fill the memory. */
const boundLines = (): Transform => {
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const last = chunk.lastIndexOf(LINE_END)
      length = last < 0 ? length + chunk.length : chunk.length - last - 1
      if (length > LINE_BYTES_MAX) done(new Error(`a line of more than ${LINE_BYTES_MAX} bytes`))
      else done(null, chunk)
    },
  })
}

const open = (path: string): Readable => {
  const file = path === STANDARD_INPUT ? process.stdin : createReadStream(path)
  const lines = boundLines()
  const parts = path.endsWith('.gz') ? [file, createGunzip(), lines] : [file, lines]
  // The reader of the lines receives errors of the pipeline.
  pipeline(parts, () => undefined)
  return lines
}

/** Lines by their text. `fileBeganAt`, the time of the file's first line, orders lines of the same millisecond. */
type Found = Map<string, { readonly line: LogLine; readonly fileBeganAt: number }>

type Sight = { beginsAt: number | null; isCut: boolean }

const readOne = async (path: string, keys: Keys, { found, sight }: { found: Found; sight: Sight }): Promise<void> => {
  const needles = [...keys.ids, ...[...keys.swapIds].map((id) => `"swapId":${id}`)]
  let fileBeganAt: number | null = null
  for await (const text of createInterface({ input: open(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const mayBe = needles.some((needle) => text.includes(needle))
    if (fileBeganAt !== null && !mayBe) continue
    const line = parseLine(text)
    if (line === null) continue
    fileBeganAt ??= line.time
    sight.beginsAt = Math.min(fileBeganAt, sight.beginsAt ?? fileBeganAt)
    if (!mayBe || !isAbout(line, keys)) continue
    if (found.size < LINES_MAX) found.set(text, { line, fileBeganAt })
    else if (!found.has(text)) sight.isCut = true
  }
}

/** Reads files in any order; the extension marks compressed ones. Reads again if the lines contain new ids. Never rejects. */
export const readLog = async (paths: readonly string[], asked: Keys): Promise<LogRead> => {
  const [found, unread]: [Found, Map<string, string>] = [new Map(), new Map()]
  const sight: Sight = { beginsAt: null, isCut: false }
  let keys = asked
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    for (const path of paths) {
      if (unread.has(path) || (path === STANDARD_INPUT && pass > 0)) continue
      await readOne(path, keys, { found, sight }).catch((error: Error) => unread.set(path, `${path}: ${error.message}`))
    }
    const grown = grow(
      keys,
      [...found.values()].map(({ line }) => line),
    )
    if (grown.ids.size === keys.ids.size && grown.swapIds.size === keys.swapIds.size) break
    keys = grown
  }
  return {
    lines: [...found.values()].sort((a, b) => a.line.time - b.line.time || a.fileBeganAt - b.fileBeganAt).map(({ line }) => line),
    unread: [...unread.values(), ...(sight.isCut ? [`the log beyond the first ${LINES_MAX} lines about it`] : [])],
    beginsAt: sight.beginsAt,
  }
}
