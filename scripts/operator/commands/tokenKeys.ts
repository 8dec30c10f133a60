import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Secret } from '../../../engine/core/secret.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import type { TokenKeyUse } from '../../../engine/store/operatorReads.ts'
import { addTokenKey, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import type { Add } from '../commandLine.ts'
import { failed, notFound } from '../operatorError.ts'
import { type Output, paint, tableOf, timeOf } from '../printing.ts'
import { tokenKeyRingOf } from '../secretKeys.ts'
import type { Session } from '../session.ts'

type Role = 'mints' | 'added' | 'replaced' | 'opens'
type TokenKey = { readonly id: string; readonly role: Role; readonly since: number | null }

/** The keys in the environment, which this program cannot change; empty if they are in the data folder. */
const givenKeys = ({ config }: Session): readonly Secret[] => config.quote.tokenKeys

const keysOf = (session: Session): readonly TokenKey[] => {
  const given = givenKeys(session)
  if (given.length > 0)
    return given.map((key, place) => ({ id: tokenKeyId(key), role: place === 0 ? 'mints' : 'opens', since: null }))
  const { minting, opening } = tokenKeyRingOf(session.config)
  const others = opening.map(({ key, kind, at }): TokenKey => ({ id: tokenKeyId(key), role: kind, since: at }))
  return [{ id: tokenKeyId(minting), role: 'mints', since: null }, ...others]
}

/** The open swaps that need a key. Swaps older than the field may need any of the keys. */
const usesOf = (uses: readonly TokenKeyUse[], id: string) => {
  const own = uses.filter(({ tokenKey }) => tokenKey === id)
  const countSwaps = (some: readonly TokenKeyUse[]): number => some.reduce((sum, use) => sum + use.swaps, 0)
  return {
    openSwaps: countSwaps(own),
    byState: Object.fromEntries(own.map((use) => [use.state, use.swaps])),
    newestAt: own.length === 0 ? null : Math.max(...own.map(({ newestAt }) => newestAt)),
    openSwapsOfUnknownKey: countSwaps(uses.filter(({ tokenKey }) => tokenKey === null)),
  }
}

const statesText = (byState: { readonly [state: string]: number }): string =>
  Object.entries(byState)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')

const list = async (session: Session): Promise<Output> => {
  const uses = await session.store.operator.tokenKeyUses()
  const keys = keysOf(session).map((key) => ({ ...key, ...usesOf(uses, key.id) }))
  const isGiven = givenKeys(session).length > 0
  const unknown = keys[0]?.openSwapsOfUnknownKey ?? 0
  const rows = keys.map((key) => ({ ...key, since: timeOf(key.since), openSwaps: statesText(key.byState) }))
  return {
    data: { where: isGiven ? 'environment' : 'file', keys },
    lines: [
      ...tableOf(rows, ['id', 'role', 'since', 'openSwaps', 'newestAt'], ''),
      ...(unknown > 0 ? [`${unknown} open swaps are older than this field: each may need any of these keys.`] : []),
      isGiven ? 'They are in QUOTE_TOKEN_KEYS.' : `They are in DATA_DIR ${session.config.dataDir}.`,
    ],
  }
}

const RESTART = 'A service reads its keys when it starts: restart every one that shares them.'

/** The value to put into the environment. This program prints no key that is there. */
const toSet = (setting: string, key: string | null): Output => ({
  data: { where: 'environment', set: setting, newKey: key },
  lines: [
    'The keys are in QUOTE_TOKEN_KEYS, which you change yourself. Set it to:',
    `  QUOTE_TOKEN_KEYS=${setting}`,
    ...(key === null ? [] : [paint('yellow', 'The new key is shown once.')]),
    RESTART,
  ],
})

const nameOf = (key: Secret): string => `<the key ${tokenKeyId(key)}>`

const add = async (session: Session): Promise<Output> => {
  const { config, clock } = session
  const [first, second] = givenKeys(session)
  if (first && second) throw failed('QUOTE_TOKEN_KEYS holds two keys already: retire one first.')
  if (first) {
    const key = randomBytes(32).toString('hex')
    return toSet(`${nameOf(first)},${key}`, key)
  }
  tokenKeyRingOf(config)
  const id = tokenKeyId(addTokenKey(config.dataDir, clock.now()))
  const line = `Added ${id}: it opens tokens, and mints once it is rotated in. ${RESTART}`
  return { data: { where: 'file', added: id }, lines: [line] }
}

const rotate = async (session: Session): Promise<Output> => {
  const { config, clock } = session
  const [first, second] = givenKeys(session)
  if (first && second) return toSet(`${nameOf(second)},${nameOf(first)}`, null)
  if (first) {
    const key = randomBytes(32).toString('hex')
    return toSet(`${key},${nameOf(first)}`, key)
  }
  tokenKeyRingOf(config)
  const { minting, opening } = rotateTokenKey(config.dataDir, clock.now())
  const last = opening.at(-1)
  const [next, replaced] = [tokenKeyId(minting), last ? tokenKeyId(last.key) : null]
  const line = `${next} mints from the next start on; ${replaced} opens until it is retired. ${RESTART}`
  return { data: { where: 'file', minting: next, replaced }, lines: [line] }
}

/** Longer than any quote is valid. */
const QUOTES_EXPIRED_MS = 3_600_000

const requireUnminted = ({ id, since }: TokenKey, newestAt: number | null): void => {
  if (since === null || newestAt === null || newestAt <= since + QUOTES_EXPIRED_MS) return
  const text = `A swap was executed with a token of ${id} at ${timeOf(newestAt)}, long after it was replaced (${timeOf(since)})`
  throw failed(`${text}: a service still mints with it. Restart every service, or add --force.`)
}

const retire = async (session: Session, id: string, { force }: { readonly force?: true }): Promise<Output> => {
  const { config, clock, store, confirm } = session
  const key = keysOf(session).find((one) => one.id === id)
  if (!key) throw notFound(`There is no token key ${id}.`)
  if (key.role === 'mints') throw failed(`${id} mints: rotate first.`)
  const uses = usesOf(await store.operator.tokenKeyUses(), id)
  if (!force) requireUnminted(key, uses.newestAt)
  const states = uses.openSwaps > 0 ? ` (${statesText(uses.byState)})` : ''
  const needed = `${uses.openSwaps} open swaps need it for /status${states}`
  const others = uses.openSwapsOfUnknownKey > 0 ? `, and ${uses.openSwapsOfUnknownKey} swaps older than this field may` : ''
  const isFresh = key.since !== null && clock.now() < key.since + QUOTES_EXPIRED_MS
  const fresh = isFresh ? ' It was in use within the hour: some of its quotes may not be executed yet.' : ''
  const facts = `${needed}${others}.${fresh}`
  const effect = 'Callers cannot query its swaps with their tokens any longer. Settlement still follows all of them.'
  const given = givenKeys(session)
  if (given.length > 0) {
    const rest = given.filter((one) => tokenKeyId(one) !== id).map(nameOf)
    const output = toSet(rest.join(','), null)
    return { data: { ...output.data, ...uses }, lines: [facts, effect, ...output.lines] }
  }
  await confirm(`${facts} ${effect} Retire ${id}?`)
  if (!retireTokenKey(config.dataDir, id)) throw notFound(`There is no token key ${id}.`)
  return { data: { where: 'file', retired: id, ...uses }, lines: [`Retired ${id}. ${facts} ${RESTART}`] }
}

const EXAMPLES = `
One service:      operator token-keys rotate, restart it, and some days later operator token-keys retire <key>
Several services: operator token-keys add, restart all, rotate, restart all, and later retire`

export const addTokenKeyCommands = (program: Command, { onRecords }: Add): void => {
  const keys = program.command('token-keys').description('list and rotate the keys that seal quote tokens')
  keys.addHelpText('after', EXAMPLES)
  onRecords(keys, 'list', 'list their ids, which one seals new tokens, and how many open swaps need each', list)
  onRecords(keys, 'add', 'add a key that decrypts only, to rotate to when every service has it', add)
  onRecords(keys, 'rotate', 'seal new tokens with the added key, or with a new one; the old key still decrypts', rotate)
  onRecords(keys, 'retire <key>', 'remove a key that no longer seals; lists who needs it, and asks first', retire)
    // An id may begin with a hyphen.
    .allowUnknownOption()
    .option('--force', 'even where a service seems to mint with it')
}
