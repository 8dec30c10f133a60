import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  benchOver,
  DEADLINE_MS,
  type Endpoint,
  fakeTimers,
  type Nodes,
  never,
  outcome,
  pass,
  realTimers,
  resets,
  says,
} from './evidenceBench.ts'
import cases from './solanaBroadcast.json' with { type: 'json' }

const TX_HASH = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

beforeEach(fakeTimers)
afterEach(realTimers)

type Bench = ReturnType<typeof benchOver>
/** A call to its end, and what was sent. */
const over = async <T>(nodes: Nodes | Endpoint, call: (bench: Bench) => Promise<T>) => {
  const bench = benchOver(typeof nodes === 'function' ? { a: nodes } : nodes)
  const calling = outcome(call(bench))
  await pass(DEADLINE_MS)
  const sent = bench.asked.map(({ method, params }) => [method, ...params])
  return { answer: await calling, sent, hosts: bench.hosts().join('') }
}
const value = (content: unknown, slot: unknown = 312): Endpoint => says({ result: { context: { slot }, value: content } })
const error = (code: number, message: string, data?: object): Endpoint => says({ error: { code, message, data } })

describe('Solana: sending a transaction', () => {
  const preflight = (err: unknown) => error(-32_002, 'Transaction simulation failed', { err, logs: [] })
  const takes = says({ result: TX_HASH })
  const send = (nodes: Nodes | Endpoint) => over(nodes, ({ solana }) => solana.send('AAAA', never()))

  it('asks for a preflight, and is accepted when a node returns the signature', async () => {
    const { answer, sent } = await send(takes)
    expect(answer).toEqual({ isAccepted: true })
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
    expect(sent).toEqual([['sendTransaction', 'AAAA', options]])
  })

  it.each(cases.refusals as [unknown, string][])('the preflight error %j is a refusal: %s', async (err, reason) => {
    const { answer, hosts } = await send({ a: preflight(err), b: takes })
    expect(answer).toEqual({ isAccepted: false, refusal: { reason, error: err }, mayBeSent: false })
    expect(hosts).toBe('a')
  })

  it('hides a preflight error that is not of the chain', async () => {
    const refusal = { reason: 'failed', error: null }
    const { answer } = await send(preflight('a list that is long'.repeat(40)))
    expect(answer).toEqual({ isAccepted: false, refusal, mayBeSent: false })
  })

  it.each<[string, Endpoint]>([
    ['resets', resets],
    ['answers 503', says('', 503)],
    ['uses the code of a preflight for something else', error(-32_002, 'Resource unavailable')],
    ['gives no reason with the code of a preflight', preflight(null)],
    ['is behind', error(-32_005, 'Node is behind by 42 slots')],
  ])('goes to the next node after one that %s, whose refusal leaves open whether it was sent', async (_what, first) => {
    const { answer, hosts } = await send({ a: first, b: preflight('BlockhashNotFound') })
    expect(answer).toMatchObject({ isAccepted: false, refusal: { reason: 'blockhashExpired' }, mayBeSent: true })
    expect(hosts).toBe('ab')
  })

  it('sends it to each node once at most', async () => {
    expect(await send({ a: resets, b: says('', 429), c: takes })).toMatchObject({ answer: { isAccepted: true }, hosts: 'abc' })
    expect(await send({ a: resets, b: resets })).toMatchObject({ answer: 'unreachable', hosts: 'ab' })
  })
})

describe('Solana: the landing of a transaction', () => {
  const landing = (node: Endpoint) => over(node, ({ solana }) => solana.landing(TX_HASH, never()))

  it.each(cases.landings as [string | null, boolean, unknown][])('is %s, final %s, for %j', async (end, isFinal, status) => {
    const { answer, sent } = await landing(value([status]))
    expect(answer).toEqual({ outcome: end, isFinal, seenSlot: 312 })
    expect(sent).toEqual([['getSignatureStatuses', [TX_HASH], { searchTransactionHistory: true }]])
  })

  it.each<[string, Endpoint]>([
    ['no list', value('nonsense')],
    ['a status without its result', value([{ slot: 1 }])],
    ['no slot', value([null], '312')],
  ])('is unreadable from %s', async (_what, node) => {
    expect((await landing(node)).answer).toBe('unreachable')
  })
})

const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'
const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const ADDRESSES = [WALLETS.solana, TABLE, 'SysvarC1ock11111111111111111111111111111111'] as Address[]

const tableOf = (addresses: readonly string[], kind = 1, deactivation = 2n ** 64n - 1n): Buffer => {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(kind, 0)
  head.writeBigUInt64LE(deactivation, 4)
  return Buffer.concat([head, ...addresses.map((address) => new PublicKey(address).toBuffer())])
}
const account = (data: Buffer, owner = TABLE_PROGRAM) => value({ owner, data: [data.toString('base64'), 'base64'], lamports: 1 })

describe('Solana: reads', () => {
  const CONFIRMED = { commitment: 'confirmed' }
  const simulation = { encoding: 'base64', ...CONFIRMED, sigVerify: false, replaceRecentBlockhash: true }
  const simulated = ['simulateTransaction', 'AAAA', simulation]
  const noFunds = { reason: 'insufficientFunds', error: 'AccountNotFound' }
  const hash = { blockhash: BLOCKHASH, lastValidBlockHeight: 300 }
  const epoch = { absoluteSlot: 412, blockHeight: 312, epoch: 0 }
  const READS = {
    simulate: ({ solana }: Bench) => solana.simulate('AAAA', never()),
    isBlockhashValid: ({ solana }: Bench) => solana.isBlockhashValid('hash', never()),
    finality: ({ solana }: Bench) => solana.finality(never()),
    firstSlot: ({ solana }: Bench) => solana.firstSlot(never()),
    latestBlockhash: ({ chains }: Bench) => chains.latestBlockhash(never()),
    lookupTable: ({ chains }: Bench) => chains.lookupTable(TABLE, never()),
  }
  const read = (what: string, node: Endpoint) => over<unknown>(node, READS[what as keyof typeof READS])

  it.each<[string, Endpoint, unknown, unknown[]]>([
    ['simulate', value({ err: null, logs: [] }), null, simulated],
    ['simulate', value({ err: noFunds.error }), noFunds, simulated],
    ['isBlockhashValid', value(true), true, ['isBlockhashValid', 'hash', CONFIRMED]],
    ['finality', says({ result: epoch }), { slot: 412, height: 312 }, ['getEpochInfo', { commitment: 'finalized' }]],
    ['firstSlot', says({ result: 250 }), 250, ['getFirstAvailableBlock']],
    ['latestBlockhash', value(hash), hash, ['getLatestBlockhash', CONFIRMED]],
    ['lookupTable', account(tableOf(ADDRESSES)), ADDRESSES, ['getAccountInfo', TABLE, { encoding: 'base64', ...CONFIRMED }]],
  ])('%s makes one call, and returns its result', async (what, node, expected, sent) => {
    expect(await read(what, node)).toMatchObject({ answer: expected, sent: [sent] })
  })

  it.each<readonly [string, Endpoint]>([
    ...Object.keys(READS).map((what) => [what, value('yes')] as const),
    ...Object.keys(READS).map((what) => [what, error(3, 'execution reverted')] as const),
    ['latestBlockhash', value({ ...hash, blockhash: '1'.repeat(33) })],
    ['latestBlockhash', value({ ...hash, lastValidBlockHeight: '300' })],
    ['lookupTable', value({ owner: TABLE_PROGRAM, data: ['', 'base58'] })],
  ])('%s is unreadable from a malformed answer: %#', async (what, node) => {
    expect((await read(what, node)).answer).toBe('unreachable')
  })

  it('lookupTable: has the addresses that the SDK reads', () => {
    const { addresses } = AddressLookupTableAccount.deserialize(new Uint8Array(tableOf(ADDRESSES)))
    expect(addresses.map((key) => key.toBase58())).toEqual(ADDRESSES)
  })

  it.each<[string, Endpoint]>([
    ['another program owns it', account(tableOf(ADDRESSES), '11111111111111111111111111111111')],
    ['it is being closed', account(tableOf(ADDRESSES, 1, 5n))],
    ['it is cut', account(tableOf(ADDRESSES).subarray(0, 60))],
    ['it has 257 addresses', account(tableOf(Array<string>(257).fill(TABLE)))],
  ])('lookupTable: is null where %s', async (_what, node) => {
    expect((await read('lookupTable', node)).answer).toBeNull()
  })

  it('latestBlockhash: is read each time', async () => {
    const latest = benchOver({ a: value(hash) })
    for (const _time of [1, 2]) await READS.latestBlockhash(latest)
    expect(latest.asked).toHaveLength(2)
  })
})
