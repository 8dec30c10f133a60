import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Secret } from '../../../engine/core/secret.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import type { TokenKeyUse } from '../../../engine/store/operatorReads.ts'
import { addTokenKey, retireTokenKey, rotateTokenKey } from '../../../engine/store/tokenKeyRing.ts'
import { failed, notFound } from '../operatorError.ts'
import { paint, type Told, tableOf, timeOf } from '../printing.ts'
import { tokenKeyRingOf } from '../secretKeys.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

type Role = 'mints' | 'added' | 'replaced' | 'opens'
type Listed = { readonly id: string; readonly role: Role; readonly since: number | null }

/** Whether the keys are in the environment, where this program cannot change them. */
const isGiven = ({ config }: Session): boolean => config.quote.tokenKeys.length > 0

const listedOf = ({ config }: Session): readonly Listed[] => {
  const given = config.quote.tokenKeys
  if (given.length > 0)
    return given.map((key, place) => ({ id: tokenKeyId(key), role: place === 0 ? 'mints' : 'opens', since: null }))
  const { minting, opening } = tokenKeyRingOf(config)
  return [
    { id: tokenKeyId(minting), role: 'mints', since: null },
    ...opening.map(({ key, kind, at }): Listed => ({ id: tokenKeyId(key), role: kind, since: at })),
  ]
}

/** Who needs a key: open swaps of it, and those of before their key was kept, which may be of any. */
const usesOf = (uses: readonly TokenKeyUse[], id: string) => {
  const own = uses.filter(({ tokenKey }) => tokenKey === id)
  const swaps = (of: readonly TokenKeyUse[]): number => of.reduce((sum, use) => sum + use.swaps, 0)
  return {
    openSwaps: swaps(own),
    byState: Object.fromEntries(own.map((use) => [use.state, use.swaps])),
    newestAt: own.length === 0 ? null : Math.max(...own.map(({ newestAt }) => newestAt)),
    openSwapsOfUnknownKey: swaps(uses.filter(({ tokenKey }) => tokenKey === null)),
  }
}

const statesText = (byState: { readonly [state: string]: number }): string =>
  Object.entries(byState)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')

const list = async (session: Session): Promise<Told> => {
  const uses = await session.store.operator.tokenKeyUses()
  const keys = listedOf(session).map((key) => ({ ...key, ...usesOf(uses, key.id) }))
  const where = isGiven(session) ? 'environment' : 'file'
  const unknown = keys[0]?.openSwapsOfUnknownKey ?? 0
  return {
    data: { where, keys },
    lines: [
      ...tableOf(
        ['KEY', 'ROLE', 'SINCE', 'OPEN SWAPS', 'NEWEST'],
        keys.map((key) => [key.id, key.role, timeOf(key.since), statesText(key.byState), timeOf(key.newestAt)]),
      ),
      ...(unknown > 0 ? [`${unknown} open swaps are of before their key was kept: any of these may be theirs.`] : []),
      isGiven(session) ? 'They are in QUOTE_TOKEN_KEYS.' : `They are in DATA_DIR ${session.config.dataDir}.`,
    ],
  }
}

const RESTART = 'A service that runs reads its keys when it starts: restart every one that shares them.'

/** What the operator has to put into the environment: this program can change its own only, and prints no key that is there. */
const toSet = (setting: string, key: string | null): Told => ({
  data: { where: 'environment', set: setting, newKey: key },
  lines: [
    'The keys are in QUOTE_TOKEN_KEYS, which you change yourself. Set it to:',
    `  QUOTE_TOKEN_KEYS=${setting}`,
    ...(key === null ? [] : [paint('yellow', 'The new key is shown this once.')]),
    RESTART,
  ],
})

const standIn = (key: Secret): string => `<the key ${tokenKeyId(key)}>`

const add = async (session: Session): Promise<Told> => {
  const { config, clock } = session
  const [first, second] = config.quote.tokenKeys
  if (first && second) throw failed('QUOTE_TOKEN_KEYS holds two keys already: retire one first.')
  if (first) {
    const key = randomBytes(32).toString('hex')
    return toSet(`${standIn(first)},${key}`, key)
  }
  tokenKeyRingOf(config)
  const id = tokenKeyId(addTokenKey(config.dataDir, clock.now()))
  return {
    data: { where: 'file', added: id },
    lines: [`Added ${id}: it opens tokens, and mints once it is rotated in. ${RESTART}`],
  }
}

const rotate = async (session: Session): Promise<Told> => {
  const { config, clock } = session
  const [first, second] = config.quote.tokenKeys
  if (first && second) return toSet(`${standIn(second)},${standIn(first)}`, null)
  if (first) {
    const key = randomBytes(32).toString('hex')
    return toSet(`${key},${standIn(first)}`, key)
  }
  tokenKeyRingOf(config)
  const { minting, opening } = rotateTokenKey(config.dataDir, clock.now())
  const replaced = opening.at(-1)
  const [next, before] = [tokenKeyId(minting), replaced ? tokenKeyId(replaced.key) : null]
  return {
    data: { where: 'file', minting: next, replaced: before },
    lines: [`${next} mints from the next start on; ${before} opens until it is retired. ${RESTART}`],
  }
}

/** Longer than any quote is valid: what a service minted before it was restarted was executed by then, or never will be. */
const SETTLED_MS = 3_600_000

const requireUnminted = ({ id, since }: Listed, newestAt: number | null): void => {
  if (since === null || newestAt === null || newestAt <= since + SETTLED_MS) return
  const text = `A swap was executed with a token of ${id} at ${timeOf(newestAt)}, long after it was replaced (${timeOf(since)})`
  throw failed(`${text}: a service still mints with it. Restart every service, or add --force.`)
}

const retire = async (session: Session, id: string, { force }: { readonly force?: true }): Promise<Told> => {
  const { config, clock, store, confirm } = session
  const keys = listedOf(session)
  const key = keys.find((one) => one.id === id)
  if (!key) throw notFound(`There is no token key ${id}.`)
  if (key.role === 'mints') throw failed(`${id} mints: rotate first.`)
  const uses = usesOf(await store.operator.tokenKeyUses(), id)
  if (!force) requireUnminted(key, uses.newestAt)
  const isFresh = key.since !== null && clock.now() < key.since + SETTLED_MS
  const needed = `${uses.openSwaps} open swaps need it for /status${uses.openSwaps > 0 ? ` (${statesText(uses.byState)})` : ''}`
  const others = uses.openSwapsOfUnknownKey > 0 ? `, and ${uses.openSwapsOfUnknownKey} of before that was kept may` : ''
  const fresh = isFresh ? ' It was in use within the hour: quotes of it may not be executed yet.' : ''
  const facts = [
    `${needed}${others}.${fresh}`,
    'Ended swaps of it can be asked for no more either; none is lost, and all are followed as before.',
  ]
  if (isGiven(session)) {
    const rest = config.quote.tokenKeys.filter((one) => tokenKeyId(one) !== id).map(standIn)
    const told = toSet(rest.join(','), null)
    return { data: { ...told.data, ...uses }, lines: [...facts, ...told.lines] }
  }
  await confirm(`${facts.join(' ')} Retire ${id}?`)
  if (!retireTokenKey(config.dataDir, id)) throw notFound(`There is no token key ${id}.`)
  return { data: { where: 'file', retired: id, ...uses }, lines: [`Retired ${id}. ${facts[0]} ${RESTART}`] }
}

const EXAMPLES = `
One service:      operator token-keys rotate, restart it, and some days later operator token-keys retire <key>
Several services: operator token-keys add, restart all, rotate, restart all, and later retire`

export const addTokenKeyCommands = (program: Command, { run }: Tool): void => {
  const keys = program
    .command('token-keys')
    .description('list and rotate the keys that seal quote tokens')
    .addHelpText('after', EXAMPLES)
  const plain = (name: string, description: string, work: (session: Session) => Promise<Told>): void => {
    keys
      .command(name)
      .description(description)
      .action((_options: object, command: Command) => run(command, work))
  }
  plain('list', 'list their ids, which one seals new tokens, and how many open swaps need each', list)
  plain('add', 'add a key that decrypts only, to rotate to when every service has it', add)
  plain('rotate', 'seal new tokens with the added key, or with a new one; the old key still decrypts', rotate)
  keys
    .command('retire <key>')
    // An id may begin with a hyphen.
    .allowUnknownOption()
    .description('remove a key that no longer seals; lists who needs it, and asks first')
    .option('--force', 'even where a service seems to mint with it')
    .action((id: string, options: { force?: true }, command: Command) => run(command, (session) => retire(session, id, options)))
}
