import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { zstdDecompressSync } from 'node:zlib'
import { base58 } from '@scure/base'
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { failureNumbered, instructionFailure, rentFailure } from '../../engine/simnet/solana/solanaFailure.ts'
import { solanaWallet } from '../../scripts/client/solana.ts'

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SYSTEM = '11111111111111111111111111111111'
const alice = Keypair.fromSeed(new Uint8Array(32).fill(1))
const bob = Keypair.fromSeed(new Uint8Array(32).fill(2)).publicKey
const ALICE = alice.publicKey.toBase58()

let simnet: Simnet

const post = async (path: string, body: unknown) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${simnet.controlUrl}${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  return (await response.json()) as any
}
const ask = (method: string, ...params: unknown[]) => post('/rpc/-2', { jsonrpc: '2.0', id: 7, method, params })

const wireOf = async (amount: number, sign = true): Promise<Buffer> => {
  const { blockhash } = (await ask('getLatestBlockhash')).result.value
  const instructions = [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: amount })]
  const message = new TransactionMessage({ payerKey: alice.publicKey, recentBlockhash: blockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  if (sign) transaction.sign([alice])
  return Buffer.from(transaction.serialize())
}
const base64 = { encoding: 'base64' }
const LEVELS = ['processed', 'confirmed', 'finalized'] as const

/** Somebody's USDC paid to Alice, and the account of hers that took it. */
const tokenPayment = async () => {
  const wallet = solanaWallet({ rpcUrl: () => `${simnet.controlUrl}/rpc/-2` }, 9)
  for (const [token, amount] of [
    [NATIVE_SOL, '1000000000'],
    [USDC, '50'],
  ])
    await post('/faucet', { chainId: -2, token, address: wallet.address, amount })
  const { signature } = await wallet.payToken({ to: ALICE, mint: USDC, amount: 7n, decimals: 6 })
  const [{ pubkey }] = (await ask('getTokenAccountsByOwner', ALICE, { mint: USDC }, base64)).result.value
  return { signature, account: pubkey as string }
}

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'rpc', clock: createSimClock(() => Date.UTC(2026, 10, 20)), venues: [] })
  for (const [token, amount] of [
    [NATIVE_SOL, '1000000000'],
    [USDC, '5'],
  ])
    await post('/faucet', { chainId: -2, token, address: ALICE, amount })
})

afterAll(() => simnet.close())

describe('the JSON-RPC of the offline Solana', () => {
  it('answers batches in their order, and errors in their places', async () => {
    const batch = ['getHealth', 'nothing', 'getSlot'].map((method, id) => ({ jsonrpc: '2.0', id, method }))
    const answers = await post('/rpc/-2', [...batch, 5])
    expect(answers).toMatchObject([
      { id: 0, result: 'ok' },
      { id: 1, error: { code: -32601, message: 'Method not found' } },
      { id: 2, result: expect.any(Number) },
      { id: null, error: { code: -32600 } },
    ])
    expect(await post('/rpc/-2', [])).toMatchObject({ id: null, error: { code: -32600 } })
    const broken = await fetch(`${simnet.controlUrl}/rpc/-2`, { method: 'POST', body: '{' })
    expect(await broken.json()).toMatchObject({ error: { code: -32700, message: 'Parse error' } })
  })

  it('gives accounts in every encoding, and parts of them', async () => {
    const data = async (config?: unknown) => (await ask('getAccountInfo', USDC, config)).result.value.data
    const [text] = await data(base64)
    const bytes = Buffer.from(text, 'base64')
    expect(bytes).toHaveLength(82)
    expect(base58.decode(await data())).toEqual(new Uint8Array(bytes))
    expect(await data({ encoding: 'base58' })).toEqual([base58.encode(bytes), 'base58'])
    expect(zstdDecompressSync(Buffer.from((await data({ encoding: 'base64+zstd' }))[0], 'base64'))).toEqual(bytes)
    expect((await data({ encoding: 'base64', dataSlice: { offset: 44, length: 1 } }))[0]).toBe(Buffer.of(6).toString('base64'))
    expect(await data({ encoding: 'jsonParsed' })).toMatchObject({ program: 'spl-token', parsed: { type: 'mint' }, space: 82 })
    expect((await ask('getAccountInfo', ALICE, { encoding: 'jsonParsed' })).result.value).toMatchObject({
      data: ['', 'base64'],
      owner: SYSTEM,
      executable: false,
      lamports: 1_000_000_000,
    })
    expect((await ask('getAccountInfo', bob.toBase58())).result.value).toBeNull()
    expect((await ask('getMultipleAccounts', [USDC, bob.toBase58()])).result.value).toMatchObject([
      { data: [text, 'base64'] },
      null,
    ])
    const held = (await ask('getTokenAccountsByOwner', ALICE, { mint: USDC }, base64)).result.value
    expect((await ask('getTokenAccountBalance', held[0].pubkey)).result.value).toEqual({
      amount: '5',
      decimals: 6,
      uiAmount: 0.000005,
      uiAmountString: '0.000005',
    })
    // Longer than what nodes write in base58.
    expect((await ask('getAccountInfo', held[0].pubkey)).error.code).toBe(-32600)
    expect((await ask('getTokenSupply', USDC)).result.value.amount).toBe('1000000000000005')
  })

  it.each<[string, unknown[], number, RegExp]>([
    ['getBalance', [], -32602, /invalid type/],
    ['getBalance', ['0OIl'], -32602, /^Invalid param: Invalid$/],
    ['getBalance', ['abc'], -32602, /WrongSize/],
    ['getBalance', [ALICE, { commitment: 'sure' }], -32602, /unknown variant `sure`/],
    ['getBalance', [ALICE, 'confirmed'], -32602, /options object/],
    ['getBalance', [ALICE, { minContextSlot: 2 ** 50 }], -32016, /Minimum context slot/],
    ['getAccountInfo', [USDC, { encoding: 'hex' }], -32602, /unknown variant `hex`/],
    ['getAccountInfo', [USDC, { encoding: 'base64', dataSlice: { offset: -1, length: 1 } }], -32602, /offset/],
    ['getMultipleAccounts', [Array(101).fill(USDC)], -32602, /Too many inputs/],
    ['getTokenAccountBalance', [ALICE], -32602, /not a Token account/],
    ['getTokenAccountBalance', [bob.toBase58()], -32602, /could not find account/],
    ['getTokenAccountsByOwner', [ALICE, { mint: ALICE }, base64], -32602, /could not find mint/],
    ['getTokenAccountsByOwner', [ALICE, { programId: SYSTEM }, base64], -32602, /unrecognized Token program id/],
    ['getMinimumBalanceForRentExemption', [-1], -32602, /data length/],
    ['getSignatureStatuses', [['abc']], -32602, /WrongSize/],
    ['getTransaction', [base58.encode(new Uint8Array(64).fill(1)), { encoding: 'hex' }], -32602, /unknown variant/],
    ['getSignaturesForAddress', [ALICE, { limit: 1_001 }], -32602, /limit/],
    ['getFeeForMessage', ['AAAA'], -32602, /failed to deserialize/],
    ['requestAirdrop', [ALICE, 1.5], -32602, /lamports/],
    ['requestAirdrop', [bob.toBase58(), 5], -32603, /insufficient funds for rent/],
    ['sendTransaction', ['!!!!', base64], -32602, /invalid base64/],
    ['sendTransaction', ['0OIl'], -32602, /invalid base58/],
    ['sendTransaction', ['AAAA', { encoding: 'hex' }], -32602, /unsupported encoding/],
    ['sendTransaction', ['', base64], -32602, /failed to deserialize/],
    ['sendTransaction', ['AAAA', base64], -32602, /failed to deserialize/],
    ['sendTransaction', [Buffer.alloc(1_233).toString('base64'), base64], -32602, /too large/],
    ['sendTransaction', [Buffer.alloc(200).toString('base64'), base64], -32602, /sanitize|deserialize/],
    ['simulateTransaction', ['AAAA', { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true }], -32602, /sigVerify/],
  ])('refuses %s %j with the code of real nodes', async (method, params, code, message) => {
    const { error, id } = await ask(method, ...params)
    expect(id).toBe(7)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
  })

  it('tells in a failed preflight what a simulation would', async () => {
    const { error } = await ask('sendTransaction', (await wireOf(9e9)).toString('base64'), base64)
    expect(error).toEqual({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: {
        err: { InstructionError: [0, { Custom: 1 }] },
        logs: [
          `Program ${SYSTEM} invoke [1]`,
          'Transfer: insufficient lamports 999995000, need 9000000000',
          `Program ${SYSTEM} failed: custom program error: 0x1`,
        ],
        accounts: null,
        unitsConsumed: 150,
        returnData: null,
        innerInstructions: null,
        replacementBlockhash: null,
      },
    })
    const unsigned = await ask('sendTransaction', (await wireOf(1e6, false)).toString('base64'), base64)
    expect(unsigned.error).toEqual({ code: -32003, message: 'Transaction signature verification failure' })
  })

  it('takes a transaction in base58, and gives it back as it came, in every encoding', async () => {
    const wire = await wireOf(1e6)
    const signature = (await ask('sendTransaction', base58.encode(wire))).result
    expect(signature).toBe(base58.encode(wire.subarray(1, 65)))
    const read = async (encoding: string) =>
      (await ask('getTransaction', signature, { encoding, maxSupportedTransactionVersion: 0, commitment: 'confirmed' })).result
    expect((await read('base64')).transaction).toEqual([wire.toString('base64'), 'base64'])
    expect((await read('base58')).transaction).toEqual([base58.encode(wire), 'base58'])
    const { transaction, version, slot } = await read('json')
    expect(version).toBe(0)
    expect(transaction).toMatchObject({
      signatures: [signature],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [ALICE, bob.toBase58(), SYSTEM],
        instructions: [{ programIdIndex: 2, accounts: [0, 1] }],
        addressTableLookups: [],
      },
    })
    expect((await read('jsonParsed')).transaction.message).toMatchObject({
      accountKeys: [
        { pubkey: ALICE, signer: true, writable: true, source: 'transaction' },
        { pubkey: bob.toBase58(), signer: false, writable: true },
        { pubkey: SYSTEM, signer: false, writable: false },
      ],
      instructions: [{ programId: SYSTEM, accounts: [ALICE, bob.toBase58()] }],
    })
    const unknown = base58.encode(new Uint8Array(64).fill(1))
    expect((await ask('getTransaction', unknown)).result).toBeNull()
    expect((await ask('getSignatureStatuses', [signature, unknown])).result.value).toEqual([
      { slot, confirmations: 0, err: null, status: { Ok: null }, confirmationStatus: 'confirmed' },
      null,
    ])
  })

  it('tells confirmed from finalized: 32 slots by the clock, whatever else lands', async () => {
    const slots = async () => Promise.all(LEVELS.map(async (commitment) => (await ask('getSlot', { commitment })).result))
    const heights = async () =>
      Promise.all(LEVELS.map(async (commitment) => (await ask('getBlockHeight', { commitment })).result))
    const signature = (await ask('sendTransaction', (await wireOf(3e6)).toString('base64'), base64)).result
    const [, tip = 0, rooted = 0] = await slots()
    const [, height = 0, rootedHeight = 0] = await heights()
    expect(height - rootedHeight).toBe(32)
    expect(tip - rooted).toBeGreaterThanOrEqual(33)
    const config = { maxSupportedTransactionVersion: 0 }
    const read = async (commitment?: string) =>
      (await ask('getTransaction', signature, { ...config, commitment })).result?.slot ?? null
    const listed = async (commitment: string) => {
      const { result } = await ask('getSignaturesForAddress', bob.toBase58(), { commitment, limit: 1 })
      return result.map((entry: { signature: string; confirmationStatus: string }) => [entry.signature, entry.confirmationStatus])
    }
    const status = async () => (await ask('getSignatureStatuses', [signature])).result.value[0]
    expect([await read('confirmed'), await read('finalized'), await read()]).toEqual([tip, null, null])
    expect((await ask('getTransaction', signature, { ...config, commitment: 'processed' })).error.code).toBe(-32602)
    expect(await listed('confirmed')).toEqual([[signature, 'confirmed']])
    expect(await listed('finalized')).not.toContainEqual([signature, expect.anything()])
    expect(await status()).toMatchObject({ slot: tip, confirmations: 0, confirmationStatus: 'confirmed' })
    await post('/clock', { advanceMs: 12_799 })
    expect(await status()).toMatchObject({ confirmations: 31, confirmationStatus: 'confirmed' })
    // Others land meanwhile, which ends slots but makes nothing older.
    for (const amount of [4e6, 5e6]) await ask('sendTransaction', (await wireOf(amount)).toString('base64'), base64)
    expect(await read('finalized')).toBeNull()
    await post('/clock', { advanceMs: 1 })
    expect(await read('finalized')).toBe(tip)
    expect((await slots())[2]).toBe(tip)
    expect(await status()).toMatchObject({ slot: tip, confirmations: null, confirmationStatus: 'finalized' })
    expect(await listed('finalized')).toEqual([[signature, 'finalized']])
    const { context, value } = (await ask('getLatestBlockhash', { commitment: 'finalized' })).result
    expect([context.slot, value.lastValidBlockHeight]).toEqual([tip, (await heights())[2] + 150])
  })

  it('lists the transactions of a token account by its own address', async () => {
    const { signature, account } = await tokenPayment()
    const { result } = await ask('getSignaturesForAddress', account, { commitment: 'confirmed' })
    expect(result[0]).toMatchObject({ signature, err: null, confirmationStatus: 'confirmed' })
  })

  it('outlives any bytes', async () => {
    const wire = await wireOf(2e6)
    for (let at = 0; at < wire.length; at++) {
      const bent = Buffer.from(wire)
      bent[at] = (bent[at] ?? 0) ^ 0xff
      for (const bytes of [bent, wire.subarray(0, at)])
        for (const [method, options] of [
          ['simulateTransaction', { ...base64, replaceRecentBlockhash: true }],
          ['sendTransaction', { ...base64, skipPreflight: true }],
        ] as const) {
          const { result, error } = await ask(method, bytes.toString('base64'), options)
          expect(result !== undefined || error.code === -32602).toBe(true)
        }
    }
    expect((await ask('getHealth')).result).toBe('ok')
    expect((await ask('getSignatureStatuses', [base58.encode(wire.subarray(1, 65))])).result.value).toEqual([null])
  })

  it('names an account that is in a transaction twice', async () => {
    const wire = await wireOf(1e6)
    const keysAt = 65 + 5
    wire.copy(wire, keysAt + 32, keysAt, keysAt + 32)
    const { result } = await ask('simulateTransaction', wire.toString('base64'), base64)
    expect(result.value.err).toBe('AccountLoadedTwice')
  })
})

describe('the failures of the offline Solana', () => {
  it('have the names LiteSVM numbers them by', () => {
    const declared = readFileSync(createRequire(import.meta.url).resolve('litesvm/dist/internal.d.ts'), 'utf8')
    const rows = (name: string): [string, number][] => {
      const [, body = ''] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(declared) ?? []
      return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, label = '', code]) => [label, Number(code)])
    }
    const ofTransactions = rows('TransactionErrorFieldless')
    const ofInstructions = rows('InstructionErrorFieldless')
    expect([ofTransactions.length, ofInstructions.length]).toEqual([35, 53])
    for (const [name, code] of ofTransactions) expect(failureNumbered(code).json).toBe(name)
    for (const [name, code] of ofInstructions) expect(instructionFailure(3, code).json).toEqual({ InstructionError: [3, name] })
  })

  it('are told in the words of the node', () => {
    const texts = [5, 8].map((code) => instructionFailure(2, code).text)
    expect([...texts, instructionFailure(0, 30).text, instructionFailure(1, { custom: 17 }).text]).toEqual([
      'Error processing Instruction 2: insufficient funds for instruction',
      'Error processing Instruction 2: instruction requires an uninitialized account',
      'Error processing Instruction 0: Cross-program invocation call depth too deep',
      'Error processing Instruction 1: custom program error: 0x11',
    ])
    expect([failureNumbered(7).text, rentFailure(3).text, instructionFailure(0, 99).text]).toEqual([
      'Blockhash not found',
      'Transaction results in an account (3) with insufficient funds for rent',
      'Error processing Instruction 0: unknown error',
    ])
    for (let code = 0; code < 53; code += 1) expect(instructionFailure(0, code).text).not.toContain('#')
  })
})
