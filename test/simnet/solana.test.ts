import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NATIVE_SOL } from '../../engine/core/asset.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimDeposit, SimTransaction, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import type { SimSolana, World } from '../../engine/simnet/kit/world.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

const START_OF_TIME = Date.UTC(2026, 10, 20)
const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const PYUSD = new PublicKey('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo')
const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
/** What clients of 2026 call by default. */
const MEMO_V4 = new PublicKey('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH')
const MEMO_V1 = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo')

const DEPOSIT_ADDRESS = Keypair.fromSeed(new Uint8Array(32).fill(9)).publicKey
const VENUE_PROGRAM = Keypair.fromSeed(new Uint8Array(32).fill(8)).publicKey
/** Where nothing ever is. */
const NOBODY = Keypair.fromSeed(new Uint8Array(32).fill(7)).publicKey
const REFUSED = 'refuse me'
const BREAKS = 'break'

const deposits: SimDeposit[] = []
const transactions: SimTransaction[] = []
const seen: SimTransaction[] = []
let solana: SimSolana

/** A venue that takes note of all it is told, and owns one address and one program. */
const recorder = (world: World): SimVenue => {
  solana = world.solana
  solana.install(VENUE_PROGRAM.toBase58())
  solana.onTransaction((transaction) => {
    seen.push(transaction)
    if (transaction.solana?.memos.includes(BREAKS)) throw new Error('a broken listener')
  })
  return {
    id: 'recorder',
    settings: {},
    pricePaths: [],
    handle: () => ({ status: 200, body: {} }),
    onDeposit: (deposit) => {
      deposits.push(deposit)
      return deposit.address === DEPOSIT_ADDRESS.toBase58()
    },
    onTransaction: (transaction) => {
      transactions.push(transaction)
      if (transaction.solana?.memos.includes(REFUSED)) throw new Error('custom program error: TooLate')
      return transaction.solana?.instructions.some(({ programId }) => programId === VENUE_PROGRAM.toBase58()) ?? false
    },
  }
}

let simnet: Simnet
let connection: Connection
let people = 0

/** Somebody new, the same in every run. */
const someone = (): Keypair => {
  people += 1
  return Keypair.fromSeed(new Uint8Array(32).fill(100 + people))
}

const post = async (path: string, body: unknown) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${simnet.controlUrl}${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  return { status: response.status, body: (await response.json()) as any }
}

const faucet = (token: string, address: PublicKey, amount: bigint | number) =>
  post('/faucet', { chainId: -2, token, address: address.toBase58(), amount: String(amount) })

/** Somebody new with a balance. */
const someoneWith = async (lamports: number, tokens: readonly [PublicKey, number][] = []): Promise<Keypair> => {
  const person = someone()
  await faucet(NATIVE_SOL, person.publicKey, lamports)
  for (const [mint, amount] of tokens) await faucet(mint.toBase58(), person.publicKey, amount)
  return person
}

const accountOf = (owner: PublicKey, mint = USDC, program = TOKEN): PublicKey =>
  PublicKey.findProgramAddressSync([owner.toBuffer(), program.toBuffer(), mint.toBuffer()], ASSOCIATED)[0]

const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const key = (pubkey: PublicKey, isWritable = false, isSigner = false) => ({ pubkey, isWritable, isSigner })

const createAccount = (payer: PublicKey, owner: PublicKey, mint = USDC, program = TOKEN) =>
  new TransactionInstruction({
    programId: ASSOCIATED,
    keys: [
      key(payer, true, true),
      key(accountOf(owner, mint, program), true),
      ...[owner, mint, SystemProgram.programId, program].map((entry) => key(entry)),
    ],
    data: Buffer.of(1),
  })

const transferTokens = (from: PublicKey, to: PublicKey, amount: number, mint = USDC, program = TOKEN) =>
  new TransactionInstruction({
    programId: program,
    keys: [key(accountOf(from, mint, program), true), key(mint), key(accountOf(to, mint, program), true), key(from, false, true)],
    data: Buffer.concat([Buffer.of(12), u64(amount), Buffer.of(6)]),
  })

const memo = (text: string, programId = MEMO) => new TransactionInstruction({ programId, keys: [], data: Buffer.from(text) })
const pay = (from: PublicKey, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
const callVenue = (payer: PublicKey, data = 'hello') =>
  new TransactionInstruction({ programId: VENUE_PROGRAM, keys: [key(payer, true, true)], data: Buffer.from(data) })

const v0 = async (payer: Keypair, instructions: TransactionInstruction[], recentBlockhash?: string) => {
  const blockhash = recentBlockhash ?? (await connection.getLatestBlockhash()).blockhash
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([payer])
  return transaction
}
const send = async (payer: Keypair, instructions: TransactionInstruction[]) =>
  connection.sendTransaction(await v0(payer, instructions))
const base64 = (transaction: VersionedTransaction): string => Buffer.from(transaction.serialize()).toString('base64')

/** How clients wait here: there are no subscriptions. */
const confirmed = async (signature: string) => {
  await expect
    .poll(async () => (await connection.getSignatureStatuses([signature])).value[0]?.confirmationStatus)
    .toMatch(/^(confirmed|finalized)$/)
  return signature
}

const failureOf = async (call: Promise<unknown>): Promise<SendTransactionError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SendTransactionError)) throw new Error(`expected a SendTransactionError, got ${String(error)}`)
  return error
}

beforeAll(async () => {
  const clock = createSimClock(() => START_OF_TIME)
  simnet = await startSimnet({ controlPort: 0, seed: 'test', clock, venues: [{ id: 'recorder', create: recorder }] })
  connection = new Connection(simnet.rpcUrls['-2'] ?? '', 'confirmed')
})

afterAll(() => simnet.close())

beforeEach(() => {
  deposits.length = 0
  transactions.length = 0
  seen.length = 0
})

describe('@solana/web3.js on the offline Solana', () => {
  it('airdrops and sends SOL, for 5000 lamports a signature', async () => {
    const [alice, bob] = [someone(), someone()]
    await confirmed(await connection.requestAirdrop(alice.publicKey, 2 * LAMPORTS_PER_SOL))
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: alice.publicKey, blockhash, lastValidBlockHeight }).add(
      pay(alice.publicKey, bob.publicKey, LAMPORTS_PER_SOL),
    )
    expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBe(5_000)
    const signature = await confirmed(await connection.sendTransaction(transaction, [alice]))
    expect(await connection.getBalance(bob.publicKey)).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 5_000)
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read).toMatchObject({
      blockTime: START_OF_TIME / 1_000,
      version: 'legacy',
      meta: {
        err: null,
        fee: 5_000,
        preBalances: [2 * LAMPORTS_PER_SOL, 0, 1],
        postBalances: [LAMPORTS_PER_SOL - 5_000, LAMPORTS_PER_SOL, 1],
        logMessages: ['Program 11111111111111111111111111111111 invoke [1]', 'Program 11111111111111111111111111111111 success'],
      },
    })
  })

  it.each([
    ['Token', USDC, TOKEN, 165],
    ['Token-2022', PYUSD, TOKEN_2022, 170],
  ])('sends tokens of the %s program into an account made for it', async (_, mint, program, space) => {
    const alice = await someoneWith(LAMPORTS_PER_SOL, [[mint, 1_000_000]])
    const bob = someone().publicKey
    const instructions = [
      createAccount(alice.publicKey, bob, mint, program),
      transferTokens(alice.publicKey, bob, 400_000, mint, program),
    ]
    const signature = await confirmed(await send(alice, instructions))
    const { value } = await connection.getParsedTokenAccountsByOwner(bob, { mint })
    expect(value).toHaveLength(1)
    expect(value[0]?.pubkey).toEqual(accountOf(bob, mint, program))
    expect(value[0]?.account.data).toMatchObject({
      program: program === TOKEN ? 'spl-token' : 'spl-token-2022',
      space,
      parsed: {
        type: 'account',
        info: {
          mint: mint.toBase58(),
          owner: bob.toBase58(),
          state: 'initialized',
          isNative: false,
          tokenAmount: { amount: '400000', decimals: 6, uiAmount: 0.4, uiAmountString: '0.4' },
        },
      },
    })
    expect((await connection.getTokenAccountBalance(accountOf(alice.publicKey, mint, program))).value.uiAmountString).toBe('0.6')
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    const balances = (side: 'preTokenBalances' | 'postTokenBalances') =>
      read?.meta?.[side]?.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]).sort()
    expect(balances('preTokenBalances')).toEqual([[alice.publicKey.toBase58(), '1000000']])
    expect(balances('postTokenBalances')).toEqual(
      [
        [alice.publicKey.toBase58(), '600000'],
        [bob.toBase58(), '400000'],
      ].sort(),
    )
    expect(read?.meta?.innerInstructions?.[0]?.instructions.length).toBeGreaterThan(0)
  })

  it('shows mints as the token programs have them, metadata included', async () => {
    const parsed = async (mint: PublicKey) => (await connection.getParsedAccountInfo(mint)).value?.data
    expect(await parsed(USDC)).toMatchObject({
      program: 'spl-token',
      parsed: { type: 'mint', info: { decimals: 6, isInitialized: true } },
    })
    expect(await parsed(PYUSD)).toMatchObject({
      program: 'spl-token-2022',
      parsed: {
        info: {
          extensions: [
            { extension: 'metadataPointer', state: { metadataAddress: PYUSD.toBase58() } },
            { extension: 'tokenMetadata', state: { name: 'PayPal USD', symbol: 'PYUSD', mint: PYUSD.toBase58() } },
          ],
        },
      },
    })
    const wrapped = await parsed(new PublicKey(NATIVE_SOL))
    expect(wrapped).toMatchObject({ parsed: { info: { decimals: 9, mintAuthority: null } } })
  })

  it('runs every memo program and lists what an address did, newest first', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const first = await send(alice, [memo('one', MEMO_V1)])
    const second = await send(alice, [memo('two'), memo('three', MEMO_V4)])
    const third = await send(alice, [pay(alice.publicKey, alice.publicKey, 1)])
    const all = await connection.getSignaturesForAddress(alice.publicKey)
    expect(all.map(({ signature, memo: text, err }) => [signature, text, err])).toEqual([
      [third, null, null],
      [second, '[3] two; [5] three', null],
      [first, '[3] one', null],
    ])
    const page = async (options: { limit?: number; before?: string; until?: string }) =>
      (await connection.getSignaturesForAddress(alice.publicKey, options)).map(({ signature }) => signature)
    expect(await page({ limit: 1 })).toEqual([third])
    expect(await page({ before: third })).toEqual([second, first])
    expect(await page({ until: first })).toEqual([third, second])
    const logs = (await connection.getTransaction(second, { maxSupportedTransactionVersion: 0 }))?.meta?.logMessages
    expect(logs?.join('\n')).toMatch(/two.*three/s)
  })

  it('loads addresses from a lookup table, and only those it has', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const bob = someone().publicKey
    const authority = alice.publicKey
    const recentSlot = await connection.getSlot()
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot })
    const extend = AddressLookupTableProgram.extendLookupTable({ authority, payer: authority, lookupTable, addresses: [bob] })
    await confirmed(await send(alice, [create, extend]))
    const { value: table } = await connection.getAddressLookupTable(lookupTable)
    if (!table) throw new Error('no table')
    expect(table.state.addresses).toEqual([bob])
    const { blockhash } = await connection.getLatestBlockhash()
    const instructions = [pay(alice.publicKey, bob, 1_000_000)]
    const message = new TransactionMessage({ payerKey: alice.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message([table]))
    expect(transaction.message.addressTableLookups).toHaveLength(1)
    transaction.sign([alice])
    const signature = await confirmed(await connection.sendTransaction(transaction))
    expect(await connection.getBalance(bob)).toBe(1_000_000)
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read?.meta?.loadedAddresses).toEqual({ writable: [bob], readonly: [] })
    const lookup = transaction.message.addressTableLookups[0]
    if (!lookup) throw new Error('no lookup')
    lookup.writableIndexes[0] = 1
    await expect(connection.simulateTransaction(transaction)).rejects.toThrow('address table lookup uses an invalid index')
    lookup.accountKey = bob
    await expect(connection.simulateTransaction(transaction)).rejects.toThrow('table account with an invalid owner')
    lookup.accountKey = NOBODY
    await expect(connection.simulateTransaction(transaction)).rejects.toThrow("table account that doesn't exist")
    // A client that knows legacy transactions only is told so.
    await expect(connection.getTransaction(signature)).rejects.toThrow('not supported by the requesting client')
    const payment = deposits.find(({ txHash }) => txHash === signature)
    expect(payment).toMatchObject({ address: bob.toBase58(), amount: 1_000_000n })
    expect(transactions.at(-1)?.solana?.instructions[0]?.accounts).toEqual([alice.publicKey.toBase58(), bob.toBase58()])
  })

  it('charges what the compute budget asks for, as it said before', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 })
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 })
    for (const [instructions, expected] of [
      [[limit, price, memo('x')], 5_000 + 123_457],
      [[price, memo('x'), pay(alice.publicKey, alice.publicKey, 1)], 5_000 + Math.ceil(1.234567 * (200_000 + 2 * 3_000))],
    ] as const) {
      const transaction = await v0(alice, [...instructions])
      const before = await connection.getBalance(alice.publicKey)
      expect((await connection.getFeeForMessage(transaction.message)).value).toBe(expected)
      const signature = await connection.sendTransaction(transaction)
      expect(before - (await connection.getBalance(alice.publicKey))).toBe(expected)
      expect((await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta?.fee).toBe(expected)
    }
  })
})

describe('a transaction that cannot be', () => {
  it('fails in preflight for lack of lamports, with the logs of the program, and costs nothing', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const error = await failureOf(send(alice, [pay(alice.publicKey, DEPOSIT_ADDRESS, 5 * LAMPORTS_PER_SOL)]))
    expect(error.transactionError.message).toBe(
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    )
    expect(error.logs).toContain(`Transfer: insufficient lamports ${LAMPORTS_PER_SOL - 5_000}, need ${5 * LAMPORTS_PER_SOL}`)
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL)
    expect([...deposits, ...transactions, ...seen]).toEqual([])
  })

  it('lands as failed without preflight, and costs its fee', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [pay(alice.publicKey, DEPOSIT_ADDRESS, 5 * LAMPORTS_PER_SOL)])
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true })
    const { value } = await connection.getSignatureStatus(signature)
    expect(value?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 5_000)
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read?.meta?.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect([...deposits, ...transactions, ...seen]).toEqual([])
    expect((await post('/transactions', { chainId: -2, txHash: signature })).status).toBe(400)
  })

  it('is refused once its blockhash lapsed, by the clock of the network', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [pay(alice.publicKey, alice.publicKey, 1)])
    const { blockhash } = await connection.getLatestBlockhash()
    await post('/clock', { advanceMs: 59_000 })
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    await post('/clock', { advanceMs: 2_000 })
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect((await connection.getFeeForMessage(transaction.message)).value).toBeNull()
    const error = await failureOf(connection.sendTransaction(transaction))
    expect(error.transactionError.message).toBe('Transaction simulation failed: Blockhash not found')
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true })
    expect((await connection.getSignatureStatus(signature)).value).toBeNull()
    const replaced = await connection.simulateTransaction(transaction, { replaceRecentBlockhash: true })
    expect(replaced.value.err).toBeNull()
  })

  it('is known by its status for two minutes, and after that to those who have the history searched', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const signature = await send(alice, [pay(alice.publicKey, alice.publicKey, 1)])
    await post('/clock', { advanceMs: 110_000 })
    expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull()
    await post('/clock', { advanceMs: 20_000 })
    expect((await connection.getSignatureStatus(signature)).value).toBeNull()
    const { value } = await connection.getSignatureStatus(signature, { searchTransactionHistory: true })
    expect(value).toMatchObject({ err: null, confirmationStatus: 'finalized' })
  })

  it('is refused when it names a blockhash of nobody', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [pay(alice.publicKey, alice.publicKey, 1)], someone().publicKey.toBase58())
    expect((await failureOf(connection.sendTransaction(transaction))).message).toContain('Blockhash not found')
    expect((await connection.simulateTransaction(transaction)).value.err).toBe('BlockhashNotFound')
  })

  it('lands once: again it has been processed, and without preflight nothing happens', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [pay(alice.publicKey, DEPOSIT_ADDRESS, 1_000_000)])
    const signature = await connection.sendTransaction(transaction)
    const error = await failureOf(connection.sendTransaction(transaction))
    expect(error.transactionError.message).toBe('Transaction simulation failed: This transaction has already been processed')
    expect(await connection.sendTransaction(transaction, { skipPreflight: true })).toBe(signature)
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 1_000_000 - 5_000)
    expect(transactions).toHaveLength(1)
    expect(deposits).toHaveLength(1)
    simnet.clock.advance(61_000)
    expect((await failureOf(connection.sendTransaction(transaction))).message).toContain('Blockhash not found')
  })

  it('is refused with a bad signature, and never lands without preflight', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [pay(alice.publicKey, DEPOSIT_ADDRESS, 1_000_000)])
    const first = transaction.signatures[0]
    if (!first) throw new Error('no signature')
    first[3] = (first[3] ?? 0) ^ 1
    await expect(connection.sendTransaction(transaction)).rejects.toThrow('Transaction signature verification failure')
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true })
    expect((await connection.getSignatureStatus(signature)).value).toBeNull()
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL)
    await expect(connection.simulateTransaction(transaction, { sigVerify: true })).rejects.toThrow(
      'signature verification failure',
    )
    expect((await connection.simulateTransaction(transaction)).value.err).toBeNull()
  })

  it.each([
    ['pays from nothing', () => [], { err: 'AccountNotFound' }],
    [
      'calls no program',
      (payer: PublicKey) => [new TransactionInstruction({ programId: NOBODY, keys: [key(payer)], data: Buffer.of() })],
      { err: 'ProgramAccountNotFound' },
    ],
    [
      'leaves an account without its rent',
      (payer: PublicKey) => [pay(payer, NOBODY, 5)],
      { err: { InsufficientFundsForRent: { account_index: 1 } } },
    ],
    [
      'sends tokens it does not have',
      (payer: PublicKey) => [createAccount(payer, payer), transferTokens(payer, payer, 5)],
      { err: { InstructionError: [1, { Custom: 1 }] } },
    ],
  ])('is refused when it %s', async (what, instructions, expected) => {
    const alice = what === 'pays from nothing' ? someone() : await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [...instructions(alice.publicKey)])
    expect((await connection.simulateTransaction(transaction)).value).toMatchObject(expected)
    await expect(connection.sendTransaction(transaction)).rejects.toThrow('Transaction simulation failed')
  })
})

describe('a simulation', () => {
  it('shows logs, units and accounts as they would be, and changes nothing', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const bob = someone().publicKey
    const transaction = await v0(alice, [pay(alice.publicKey, bob, 1_000_000), memo('hi')])
    const { value } = await connection.simulateTransaction(transaction, {
      sigVerify: true,
      accounts: { encoding: 'base64', addresses: [bob.toBase58()] },
    })
    expect(value.err).toBeNull()
    expect(value.logs).toContain('Program 11111111111111111111111111111111 success')
    expect(value.unitsConsumed).toBeGreaterThan(150)
    expect(value.accounts?.[0]?.lamports).toBe(1_000_000)
    expect(await connection.getBalance(bob)).toBe(0)
    expect([...deposits, ...transactions, ...seen]).toEqual([])
  })

  it('needs no signature', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const { blockhash } = await connection.getLatestBlockhash()
    const instructions = [pay(alice.publicKey, DEPOSIT_ADDRESS, 1_000_000)]
    const message = new TransactionMessage({ payerKey: alice.publicKey, recentBlockhash: blockhash, instructions })
    const unsigned = new VersionedTransaction(message.compileToV0Message())
    expect((await connection.simulateTransaction(unsigned)).value.err).toBeNull()
    await expect(connection.sendTransaction(unsigned)).rejects.toThrow('signature verification failure')
  })
})

describe('what lands on the offline Solana', () => {
  it('reaches the venues once, with what it was made of and whom it paid', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 1_000_000]])
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
      callVenue(alice.publicKey),
      createAccount(alice.publicKey, DEPOSIT_ADDRESS),
      transferTokens(alice.publicKey, DEPOSIT_ADDRESS, 300_000),
      pay(alice.publicKey, DEPOSIT_ADDRESS, 2_000_000),
      memo('order 7'),
    ]
    const transaction = await v0(alice, instructions)
    const txHash = await connection.sendTransaction(transaction)
    expect(transactions).toHaveLength(1)
    expect(transactions).toEqual(seen)
    const [told] = transactions
    expect(told).toMatchObject({
      chainId: -2,
      from: alice.publicKey.toBase58(),
      to: VENUE_PROGRAM.toBase58(),
      data: base64(transaction),
      value: 0n,
      txHash,
      solana: { signers: [alice.publicKey.toBase58()], memos: ['order 7'] },
    })
    expect(told?.solana?.instructions.map(({ programId }) => programId)).toEqual(
      instructions.map(({ programId }) => programId.toBase58()),
    )
    expect(Buffer.from(told?.solana?.instructions[1]?.data ?? []).toString()).toBe('hello')
    const address = DEPOSIT_ADDRESS.toBase58()
    expect(deposits).toEqual([
      { chainId: -2, token: NATIVE_SOL, address, amount: 2_000_000n, txHash },
      { chainId: -2, token: USDC.toBase58(), address, amount: 300_000n, txHash },
    ])
    expect((await post('/transactions', { chainId: -2, txHash })).body).toEqual({ txHash, venue: 'recorder' })
    expect(transactions).toHaveLength(1)
  })

  it('can be sent by the control server, and is on the chain as any other', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const transaction = await v0(alice, [callVenue(alice.publicKey)])
    const { status, body } = await post('/transactions', { chainId: -2, data: base64(transaction) })
    expect([status, body.venue]).toEqual([200, 'recorder'])
    expect((await connection.getSignatureStatus(body.txHash)).value?.err).toBeNull()
    expect(transactions).toHaveLength(1)
    const again = await post('/transactions', { chainId: -2, data: base64(transaction) })
    expect(again.status).toBe(422)
    expect(again.body.error).toContain('already been processed')
    expect(transactions).toHaveLength(1)
  })

  it('is a 422 with the reason when the venue would have refused it, and noted', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const answer = await post('/transactions', { chainId: -2, data: base64(await v0(alice, [memo(REFUSED)])) })
    expect(answer).toMatchObject({ status: 422, body: { error: 'reverted: custom program error: TooLate' } })
    const txHash = await send(alice, [memo(REFUSED), memo('again')])
    const { notices } = (await (await fetch(simnet.controlUrl)).json()) as { notices: unknown[] }
    expect(notices.at(-1)).toEqual({ chainId: -2, txHash, reason: 'custom program error: TooLate' })
    expect(transactions).toHaveLength(2)
  })

  it('is no worse for its sender when a venue fails over it', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const txHash = await send(alice, [memo(BREAKS)])
    expect((await connection.getSignatureStatus(txHash)).value?.err).toBeNull()
    const { notices } = (await (await fetch(simnet.controlUrl)).json()) as { notices: unknown[] }
    expect(notices.at(-1)).toEqual({ chainId: -2, txHash, reason: 'a broken listener' })
  })

  it('is no payment when SOL is wrapped and unwrapped', async () => {
    const alice = await someoneWith(LAMPORTS_PER_SOL)
    const mint = new PublicKey(NATIVE_SOL)
    const account = accountOf(alice.publicKey, mint)
    const sync = new TransactionInstruction({ programId: TOKEN, keys: [key(account, true)], data: Buffer.of(17) })
    await send(alice, [createAccount(alice.publicKey, alice.publicKey, mint), pay(alice.publicKey, account, 500), sync])
    const { value } = await connection.getParsedTokenAccountsByOwner(alice.publicKey, { programId: TOKEN })
    expect(value[0]?.account.data.parsed.info).toMatchObject({
      isNative: true,
      tokenAmount: { amount: '500', decimals: 9 },
      rentExemptReserve: { amount: '2039280' },
    })
    const keys = [key(account, true), key(alice.publicKey, true), key(alice.publicKey, false, true)]
    await send(alice, [new TransactionInstruction({ programId: TOKEN, keys, data: Buffer.of(9) })])
    expect(await connection.getAccountInfo(account)).toBeNull()
    expect(await connection.getBalance(alice.publicKey)).toBe(LAMPORTS_PER_SOL - 2 * 5_000)
    expect(deposits).toEqual([])
  })

  it('is no news when the faucet or an airdrop gave it', async () => {
    await faucet(NATIVE_SOL, DEPOSIT_ADDRESS, 5)
    await faucet(USDC.toBase58(), DEPOSIT_ADDRESS, 5)
    await connection.requestAirdrop(DEPOSIT_ADDRESS, LAMPORTS_PER_SOL)
    expect([...deposits, ...transactions, ...seen]).toEqual([])
  })

  it.each([
    ['SOL', NATIVE_SOL, 3_000_000],
    ['a token', USDC.toBase58(), 70],
    ['a Token-2022 token', PYUSD.toBase58(), 70],
  ])('is a real payment when someone is said to have deposited %s', async (_, token, amount) => {
    const address = DEPOSIT_ADDRESS.toBase58()
    const before = await solana.balance(token, address)
    const { status, body } = await post('/deposits', { chainId: -2, token, address, amount: String(amount) })
    expect([status, body.venue]).toEqual([200, 'recorder'])
    expect(deposits).toEqual([{ chainId: -2, token, address, amount: BigInt(amount), txHash: body.txHash }])
    expect(await solana.balance(token, address)).toBe(before + BigInt(amount))
    expect((await connection.getSignatureStatus(body.txHash)).value?.err).toBeNull()
    const read = await connection.getTransaction(body.txHash, { maxSupportedTransactionVersion: 0 })
    expect(read?.transaction.message.staticAccountKeys[0]?.toBase58()).toBe(solana.treasury())
  })

  it('says why a deposit cannot be', async () => {
    const deposit = { chainId: -2, token: NATIVE_SOL, address: someone().publicKey.toBase58(), amount: '5' }
    expect(await post('/deposits', deposit)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('insufficient funds for rent') },
    })
    expect((await post('/deposits', { ...deposit, amount: (2n ** 64n).toString() })).body.error).toMatch(/^amount: /)
    expect((await post('/deposits', { ...deposit, token: USDC.toBase58(), amount: (2n ** 64n).toString() })).body.error).toMatch(
      /^amount: /,
    )
    expect([...deposits, ...transactions, ...seen]).toEqual([])
  })
})

describe('a venue on the offline Solana', () => {
  it('pays more than the treasury ever had, at once and each payment once', async () => {
    const to = someone().publicKey.toBase58()
    const amount = 10n ** 15n
    const payment = { token: USDC.toBase58(), to, amount }
    const signatures = await Promise.all([solana.transfer(payment), solana.transfer(payment), solana.transfer(payment)])
    expect(new Set(signatures).size).toBe(3)
    expect(await solana.balance(USDC.toBase58(), to)).toBe(3n * amount)
    expect(seen.map(({ txHash }) => txHash).sort()).toEqual(signatures.toSorted())
    expect(deposits.filter(({ address }) => address === to)).toHaveLength(3)
  })

  it('knows the latest blockhash, and no token of another chain', async () => {
    expect(await solana.blockhash()).toBe((await connection.getLatestBlockhash()).blockhash)
    await expect(solana.balance('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', DEPOSIT_ADDRESS.toBase58())).rejects.toThrow(
      'is no token',
    )
  })
})

describe('the offline Solana', () => {
  it('is the same again for the same seed and time, and another for another', async () => {
    const run = async (seed: string) => {
      const clock = createSimClock(() => START_OF_TIME)
      const network = await startSimnet({ controlPort: 0, seed, clock, venues: [] })
      const other = new Connection(network.rpcUrls['-2'] ?? '', 'confirmed')
      const signature = await other.requestAirdrop(DEPOSIT_ADDRESS, LAMPORTS_PER_SOL)
      const latest = await other.getLatestBlockhash()
      await network.close()
      return { signature, latest }
    }
    const first = await run('a')
    expect(await run('a')).toEqual(first)
    const second = await run('b')
    expect(second.signature).not.toBe(first.signature)
    expect(second.latest.blockhash).not.toBe(first.latest.blockhash)
  })
})
