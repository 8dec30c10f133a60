import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import type { Broadcast } from '../../../engine/store/broadcasts.ts'
import type { SwapSearch } from '../../../engine/store/swapSearch.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import type { Add } from '../commandLine.ts'
import { notFound } from '../operatorError.ts'
import { fieldsOf, type Output, paint, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import { showSwap } from '../showSwap.ts'
import { damagedIn, type KnownRace, raceLines, racesIn } from './raceLines.ts'
import { type LogLine, type LogRead, readLog } from './readLog.ts'

type ExplainOptions = { readonly log?: readonly string[] }

type Records = Pick<Session, 'store'>

const SWAPS_MAX = 50

/** The swaps of an id: a swap's number, quote, ref, payment, or the request that executed it. */
const findSwaps = async (
  { store }: Records,
  id: string,
): Promise<{ readonly known: readonly SwapRecord[]; readonly isCut: boolean }> => {
  const number = /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : null
  const searches: readonly SwapSearch[] = [
    { quoteId: id },
    { ref: id },
    ...(number !== null && Number.isSafeInteger(number) ? [{ id: number }] : []),
    // Last: callers choose their request ids, and can use those of unrelated swaps.
    { requestId: id },
  ]
  const found = new Map<number, SwapRecord>()
  let isCut = false
  for (const search of searches) {
    if ('requestId' in search && found.size > 0) break
    const newest = await store.operator.swaps(search, { beforeId: null, limit: SWAPS_MAX + 1 })
    isCut ||= newest.length > SWAPS_MAX
    for (const record of newest.slice(0, SWAPS_MAX)) found.set(record.id, record)
  }
  return { known: [...found.values()].sort((a, b) => a.id - b.id), isCut }
}

/** Where the swaps alone were asked for, the log may lead to no other; where it was a request, to those it was about. */
const swapsOfLog = async ({ store }: Records, known: readonly SwapRecord[], lines: readonly LogLine[]) => {
  const ids = new Set(lines.map(({ swapId }) => swapId).filter((swapId) => typeof swapId === 'number'))
  const more: SwapRecord[] = []
  for (const id of [...ids].slice(0, SWAPS_MAX)) {
    const record = known.some((one) => one.id === id) ? null : await store.swaps.byId(id)
    if (record !== null) more.push(record)
  }
  return [...known, ...more]
}

/** Fields that are omitted from the details of a line: time, event and ids. */
const ASIDE = new Set(['level', 'time', 'event', 'requestId', 'quoteId', 'swapId', 'ref', 'runs', 'unwilling', 'mode'])

const detailOf = (line: LogLine): string =>
  Object.entries(line)
    .filter(([name, value]) => !ASIDE.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ')

const logLines = (lines: readonly LogLine[]): readonly string[] => {
  if (lines.length === 0) return []
  const rows = lines.map((line) => {
    const { time, event, swapId, requestId } = line
    return { time: new Date(time).toISOString(), event, swapId, requestId, detail: detailOf(line) }
  })
  return [paint('bold', 'Log lines'), ...tableOf(rows, ['time', 'event', 'swapId', 'requestId', 'detail'], '')]
}

const broadcastText = (broadcast: Broadcast | null): string | null =>
  broadcast && `${broadcast.txHash}, ${broadcast.fate ?? (broadcast.acceptedAt === null ? 'not known to be sent' : 'sent')}`

type Explained = Omit<Output, 'isFailed'> & { readonly race: KnownRace | null }

/** Explains the returned payload, its proof, and its broadcast. */
const explainSwap = async ({ store }: Records, record: SwapRecord): Promise<Explained> => {
  const { id, quoteId, postingAt, submittedAt, swap } = record
  const [shown, race] = [await showSwap(store, record), await store.operator.raceOf(id)]
  const broadcast = await store.broadcasts.find(id)
  const { proof = null, deadlineAt = null } = swap
  const fields = {
    quoted: `${swap.offer.outputAmount}, at least ${swap.offer.slippage?.guaranteedMin ?? 'no minimum'}`,
    proof: proof && `recipient ${proof.recipient}, minimum ${proof.minimum}, refund ${proof.refund}`,
    validUntil: timeOf(deadlineAt),
    signature: postingAt === null ? null : `posting ${timeOf(postingAt)}, accepted ${timeOf(submittedAt)}`,
    broadcast: broadcastText(broadcast),
  }
  return {
    race: race && { ...race, quoteId, requestId: null, from: 'store' },
    data: { ...shown.data, proof, deadlineAt, postingAt, submittedAt, broadcast },
    lines: [paint('bold', `Swap ${id}`), ...fieldsOf(fields), ...shown.lines, ''],
  }
}

/** Prefers the log for a race that both have: it also contains reasons and the venues that were not called. */
const racesOf = (fromLog: readonly KnownRace[], fromStore: readonly (KnownRace | null)[]): readonly KnownRace[] => {
  const kept: KnownRace[] = [...fromLog]
  for (const race of fromStore)
    if (race && !kept.some((one) => one.quoteId === race.quoteId || isDeepStrictEqual(one, race))) kept.push(race)
  return kept
}

const unreadOf = (
  { log }: ExplainOptions,
  read: LogRead,
  { swaps, races }: { readonly swaps: readonly SwapRecord[]; readonly races: readonly KnownRace[] },
): readonly string[] => {
  const first = swaps[0]
  const raceless = swaps.filter(({ quoteId }) => !races.some((race) => race.quoteId === quoteId))
  return [
    ...(log === undefined
      ? ['the log: none was given (--log <file...>). Quotes that were not executed are in the log only']
      : []),
    ...read.unread,
    ...damagedIn(read.lines),
    ...(log !== undefined && first !== undefined && read.beginsAt !== null && read.beginsAt > first.createdAt
      ? [`the log of before ${timeOf(read.beginsAt)}, which was not given: the swap was executed ${timeOf(first.createdAt)}`]
      : []),
    ...raceless.map(({ id }) => `the race of swap ${id}: its quote token had no room for it, or its version recorded no races`),
  ]
}

const raceTitle = ({ quoteId, requestId, from }: KnownRace): string =>
  `The race${quoteId === null ? '' : ` of quote ${quoteId}`}${requestId === null ? '' : `, request ${requestId}`} (from the ${from})`

/** Explains an id from the records, and from the log if one is given. */
export const explain = async (session: Records, id: string, options: ExplainOptions): Promise<Output> => {
  const { known, isCut } = await findSwaps(session, id)
  const textsIn = (some: Iterable<string | null>) => new Set([...some].filter((one): one is string => one !== null && one !== ''))
  const names = known.flatMap(({ quoteId, ref, requestId }) => (requestId === id ? [] : [quoteId, ref, id]))
  const read = await readLog(options.log ?? [], {
    asked: id,
    ids: textsIn([id, ...known.flatMap(({ quoteId, ref, requestId }) => [quoteId, ref, requestId])]),
    names: textsIn(names),
    swapIds: new Set(known.map((record) => record.id)),
  })
  const swaps = await swapsOfLog(session, known, read.lines)
  if (swaps.length === 0 && read.lines.length === 0) {
    const hint = ' in the records. A quote that was not executed is in the log only (--log <file...>)'
    throw notFound(`Nothing was found for ${id}${options.log ? '' : hint}.`)
  }
  const explained: Explained[] = []
  for (const record of swaps) explained.push(await explainSwap(session, record))
  const stored = explained.map(({ race }) => race)
  const races = racesOf(racesIn(read.lines), stored)
  const unread = [
    ...(isCut ? [`swaps beyond the newest ${SWAPS_MAX} of them`] : []),
    ...unreadOf(options, read, { swaps, races }),
  ]
  return {
    data: { asked: id, races, swaps: explained.map(({ data }) => data), log: read.lines, unread },
    lines: [
      ...races.flatMap((race) => [paint('bold', raceTitle(race)), ...raceLines(race), '']),
      ...explained.flatMap(({ lines }) => lines),
      ...logLines(read.lines),
      ...(unread.length > 0 ? ['', paint('bold', 'Not read'), ...unread.map((what) => `- ${what}`)] : []),
    ],
  }
}

const EXAMPLES = `
The log is the standard output of the service. Ids that begin with - come last, after --.
Examples:
  operator explain 1042
  operator explain 0x5c50... --log /var/log/swap/*.log /var/log/swap/*.gz
  journalctl -u swap -o cat | operator explain Jm8nZkqjW2rT5u0x --log -`

export const addExplainCommand = (program: Command, { onRecords }: Add): void => {
  onRecords(
    program,
    'explain',
    'explain the choice of the venue and the course of the swap, from the records and the log',
    explain,
  )
    .argument('<id>', 'id of a request or quote; ref, transaction or number of a swap')
    .option('--log <files...>', 'log files in any order, also rotated and .gz files; - for standard input')
    .addHelpText('after', EXAMPLES)
}
