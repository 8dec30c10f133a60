import { AddressLookupTableAccount, PublicKey } from '@solana/web3.js'
import { afterEach, describe, expect, test } from 'vitest'
import { ChainError, type Chains } from '../../../engine/chains/chains.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import {
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  lookupTablesOf,
  packSolanaTransaction,
  type SolanaInstructionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { parseJson, startLoopbackServer, writeJson } from '../../../engine/simnet/kit/loopbackServer.ts'
import { WALLETS } from '../../support/anOrder.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** A node of Solana that answers every call with one result, or with an error. */
const node = async (answer: (call: Call) => { result?: unknown; error?: unknown } | 'hang') => {
  const calls: Call[] = []
  const { origin, close } = await startLoopbackServer(async ({ rawBody }, response) => {
    const call = parseJson(rawBody) as Call
    calls.push(call)
    const answered = answer(call)
    if (answered !== 'hang') writeJson(response, 200, { jsonrpc: '2.0', id: call.id, ...answered })
  })
  const clock = { at: 0, now: () => clock.at }
  const chains = createChains({ rpcUrls: { [-2]: [origin] }, deadlineMs: 500, clock })
  closers.push(close, () => chains.close())
  return { chains, calls, clock }
}

const signal = () => AbortSignal.timeout(5_000)
const failureOf = async (reading: Promise<unknown>): Promise<string> => {
  const error: unknown = await reading.then(
    () => 'answered',
    (reason: unknown) => reason,
  )
  return error instanceof ChainError ? error.failure : String(error)
}

const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'
const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
const PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const inContext = (value: unknown) => ({ result: { context: { slot: 1 }, value } })

describe('the latest blockhash', () => {
  const read = ({ chains }: { chains: Chains }) => chains.latestBlockhash(signal())

  test('is the confirmed one, and is asked for every time', async () => {
    const solana = await node(() => inContext({ blockhash: BLOCKHASH, lastValidBlockHeight: 300 }))
    expect([await read(solana), await read(solana)]).toEqual([
      { blockhash: BLOCKHASH, lastValidBlockHeight: 300 },
      { blockhash: BLOCKHASH, lastValidBlockHeight: 300 },
    ])
    expect(solana.calls.map(({ method, params }) => [method, params])).toEqual([
      ['getLatestBlockhash', [{ commitment: 'confirmed' }]],
      ['getLatestBlockhash', [{ commitment: 'confirmed' }]],
    ])
  })

  test.each([
    ['nothing', { result: null }],
    ['no value', { result: {} }],
    ['an empty value', inContext(null)],
    ['no hash', inContext({ lastValidBlockHeight: 300 })],
    ['a hash of another length', inContext({ blockhash: '1'.repeat(33), lastValidBlockHeight: 300 })],
    ['a hash that is none', inContext({ blockhash: '0'.repeat(40), lastValidBlockHeight: 300 })],
    ['a height that is none', inContext({ blockhash: BLOCKHASH, lastValidBlockHeight: '300' })],
    ['an error', { error: { code: -32005, message: 'Node is behind' } }],
    ['a word of reverting', { error: { code: 3, message: 'execution reverted' } }],
  ])('answered with %s, the chain counts as out of reach', async (_name, answer) => {
    expect(await failureOf(read(await node(() => answer)))).toBe('unreachable')
  })

  test('a node that hangs is left in time, and when the caller leaves', async () => {
    const { chains } = await node(() => 'hang')
    expect(await failureOf(chains.latestBlockhash(AbortSignal.timeout(30)))).toBe('timeout')
    expect(await failureOf(chains.latestBlockhash(signal()))).toBe('timeout')
  })
})

const tableData = (addresses: readonly string[], { kind = 1, deactivation = 2n ** 64n - 1n } = {}): Buffer => {
  const meta = Buffer.alloc(56)
  meta.writeUInt32LE(kind, 0)
  meta.writeBigUInt64LE(deactivation, 4)
  return Buffer.concat([meta, ...addresses.map((address) => new PublicKey(address).toBuffer())])
}
const account = (data: Buffer, owner = PROGRAM) => inContext({ owner, data: [data.toString('base64'), 'base64'], lamports: 1 })
const ADDRESSES = [WALLETS.solana, TABLE, 'SysvarC1ock11111111111111111111111111111111'] as Address[]

describe('a lookup table', () => {
  test('is its addresses, in order, as the SDK reads them', async () => {
    const data = tableData(ADDRESSES)
    const { chains, calls } = await node(() => account(data))
    expect(await chains.lookupTable(TABLE, signal())).toEqual(ADDRESSES)
    const { addresses } = AddressLookupTableAccount.deserialize(new Uint8Array(data))
    expect(addresses.map((key) => key.toBase58())).toEqual(ADDRESSES)
    expect(calls).toMatchObject([{ method: 'getAccountInfo', params: [TABLE, { encoding: 'base64', commitment: 'confirmed' }] }])
  })

  test('is read once a minute', async () => {
    const { chains, calls, clock } = await node(() => account(tableData(ADDRESSES)))
    for (const at of [0, 59_999, 60_000]) {
      clock.at = at
      await chains.lookupTable(TABLE, signal())
    }
    expect(calls).toHaveLength(2)
  })

  test.each([
    ['nothing is there', inContext(null)],
    ['another program owns it', account(tableData(ADDRESSES), '11111111111111111111111111111111')],
    ['it was never set up', account(tableData(ADDRESSES, { kind: 0 }))],
    ['it is being closed', account(tableData(ADDRESSES, { deactivation: 5n }))],
    ['it is cut short', account(tableData(ADDRESSES).subarray(0, 60))],
    ['it is shorter than its head', account(Buffer.alloc(20))],
    ['it has more than a table can have', account(tableData(Array.from({ length: 257 }, () => TABLE)))],
  ])('is null when %s', async (_name, answer) => {
    const { chains } = await node(() => answer)
    expect(await chains.lookupTable(TABLE, signal())).toBeNull()
  })

  test.each([
    ['nothing', { result: null }],
    ['text', inContext('account')],
    ['another encoding', inContext({ owner: PROGRAM, data: ['', 'base58'] })],
    ['no data', inContext({ owner: PROGRAM })],
    ['an error', { error: { code: -32602, message: 'Invalid param' } }],
  ])('answered with %s, the chain counts as out of reach', async (_name, answer) => {
    const { chains } = await node(() => answer)
    expect(await failureOf(chains.lookupTable(TABLE, signal()))).toBe('unreachable')
  })
})

describe('a transaction with lookup tables', () => {
  const plan = (accounts: readonly string[], bytes = 4) => {
    const instruction: SolanaInstructionPlan = {
      programId: '11111111111111111111111111111111',
      accounts: accounts.map((address, index) => ({ address, isWritable: index % 2 === 0 })),
      data: new Uint8Array(bytes),
    }
    return { feePayer: WALLETS.solana as string, recentBlockhash: BLOCKHASH, instructions: [instruction] }
  }
  const strangers = Array.from({ length: 40 }, (_none, index) => new PublicKey(Buffer.alloc(32, index + 1)).toBase58() as Address)
  const tables = new Map([[TABLE as string, strangers]])

  test('names its tables, and its accounts once they are given', async () => {
    const packed = (await packSolanaTransaction(plan(strangers), tables)) ?? ''
    expect(await lookupTablesOf(packed)).toEqual([TABLE])
    expect((await decodeSolanaTransaction(packed))?.instructions[0]?.accounts).toEqual(strangers.map(() => null))
    const read = await decodeSolanaTransaction(packed, tables)
    expect(read).toMatchObject({ usesLookupTables: true, signers: [WALLETS.solana] })
    expect(read?.instructions[0]?.accounts).toEqual(strangers)
    const shorter = new Map([[TABLE as string, strangers.slice(0, 5)]])
    expect((await decodeSolanaTransaction(packed, shorter))?.instructions[0]?.accounts.slice(4, 7)).toEqual([
      strangers[4],
      null,
      null,
    ])
  })

  test('is null when it is longer than a packet, with every byte that fits accepted', async () => {
    expect(await packSolanaTransaction(plan(strangers), new Map())).toBeNull()
    const overhead = Buffer.from((await packSolanaTransaction(plan([], 200), new Map())) ?? '', 'base64').length - 200
    const most = 1_232 - overhead
    expect(Buffer.from((await packSolanaTransaction(plan([], most), new Map())) ?? '', 'base64')).toHaveLength(1_232)
    expect(await packSolanaTransaction(plan([], most + 1), new Map())).toBeNull()
    expect(await packSolanaTransaction(plan([], 5_000), new Map())).toBeNull()
    const addressOf = (index: number) => new PublicKey(Buffer.from([index >> 8, index, ...Buffer.alloc(30, 9)])).toBase58()
    const crowd = (count: number) => Array.from({ length: count }, (_none, index) => addressOf(index))
    // With the payer and the program: as many as a byte can number, one more, and many more.
    for (const count of [254, 255, 1_000]) expect(await packSolanaTransaction(plan(crowd(count)), new Map())).toBeNull()
  })

  test('is the same as without tables when none is needed, and no transaction names none', async () => {
    const single = plan([TABLE])
    expect(await packSolanaTransaction(single, new Map())).toBe(await encodeSolanaTransaction(single))
    expect(await lookupTablesOf(await encodeSolanaTransaction(single))).toEqual([])
    expect(await lookupTablesOf('nonsense')).toEqual([])
  })
})
