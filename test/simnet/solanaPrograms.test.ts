import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Ed25519Program,
  type Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { NATIVE_SOL } from '../../engine/core/asset.ts'
import {
  accountOf,
  approve,
  call,
  DELEGATE,
  FEE,
  key,
  LIGHTHOUSE,
  limit,
  NOBODY,
  openAccount,
  PROGRAM,
  PYUSD,
  pay,
  RENT_FLOOR,
  refuse,
  sendTokens,
  swapFor,
  TOKEN,
  TOKEN_2022,
  takeSol,
  takeTokens,
  USDC,
} from './solanaProgramCalls.ts'
import { openProgramNetwork } from './solanaProgramNetwork.ts'

const network = await openProgramNetwork()
const { connection, solana, told, someoneWith, signed, send, refusalOf, force, held, lamportsOf } = network
afterAll(() => network.close())
beforeEach(() => {
  told.length = 0
})

const custom = (index: number, code: number) => ({ InstructionError: [index, { Custom: code }] })

describe('a wallet that cannot pay a program', () => {
  it.each<[string, number, [PublicKey, number][], (payer: Keypair) => TransactionInstruction, unknown]>([
    ['less SOL', LAMPORTS_PER_SOL, [], (payer) => takeSol(payer, 2 * LAMPORTS_PER_SOL), custom(1, 1)],
    ['all its SOL, and the fee to pay', LAMPORTS_PER_SOL, [], (payer) => takeSol(payer, LAMPORTS_PER_SOL), custom(1, 1)],
    ['less of a token', LAMPORTS_PER_SOL, [[USDC, 99]], (payer) => takeTokens(payer, 100), custom(1, 1)],
    ['no account of the token', LAMPORTS_PER_SOL, [], (payer) => takeTokens(payer, 100), custom(1, 1)],
    [
      'less of a Token-2022 token',
      LAMPORTS_PER_SOL,
      [[PYUSD, 99]],
      (payer) => takeTokens(payer, 100, { mint: PYUSD, tokenProgram: TOKEN_2022 }),
      custom(1, 1),
    ],
    ['the token, and no SOL', 0, [[USDC, 100]], (payer) => takeTokens(payer, 100), 'AccountNotFound'],
    [
      'the token, and less SOL than the fee',
      FEE - 1,
      [[USDC, 100]],
      (payer) => takeTokens(payer, 100),
      'InsufficientFundsForFee',
    ],
    [
      'SOL, of which too little would be left for its rent',
      LAMPORTS_PER_SOL,
      [],
      (payer) => takeSol(payer, LAMPORTS_PER_SOL - FEE - RENT_FLOOR + 1),
      { InsufficientFundsForRent: { account_index: 0 } },
    ],
  ])('is refused by simulation and preflight when it has %s', async (_, lamports, tokens, charge, err) => {
    const payer = await someoneWith(lamports, tokens)
    expect((await refusalOf(payer, [limit, charge(payer)])).err).toEqual(err)
    expect(await lamportsOf(payer)).toBe(lamports)
    for (const [mint, amount] of tokens) expect(await held(payer.publicKey, mint)).toBe(amount)
    expect(told).toEqual([])
  })

  it('finds the reason in the logs, under the program it called', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    const from = payer.publicKey.toBase58()
    expect((await refusalOf(payer, [takeSol(payer, 2 * LAMPORTS_PER_SOL)])).logs).toEqual([
      `Program ${PROGRAM.toBase58()} invoke [1]`,
      `Program log: takes ${2 * LAMPORTS_PER_SOL} lamports from ${from}`,
      'Program 11111111111111111111111111111111 invoke [2]',
      `Transfer: insufficient lamports ${LAMPORTS_PER_SOL - FEE}, need ${2 * LAMPORTS_PER_SOL}`,
      'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
      `Program ${PROGRAM.toBase58()} failed: custom program error: 0x1`,
    ])
    expect((await refusalOf(payer, [takeTokens(payer, 5)])).logs).toContain(`Program log: ${from} has no account of USDC`)
  })

  it('lands as failed without preflight, pays its fee and nothing else', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 99]])
    const landed = await force(payer, [takeTokens(payer, 100)])
    expect(landed?.meta?.err).toEqual(custom(0, 1))
    expect(landed?.meta?.fee).toBe(FEE)
    expect(await lamportsOf(payer)).toBe(LAMPORTS_PER_SOL - FEE)
    expect(await held(payer.publicKey)).toBe(99)
    expect(told).toEqual([])
  })

  it('never lands when it has not even the fee', async () => {
    const payer = await someoneWith(0, [[USDC, 100]])
    expect(await force(payer, [takeTokens(payer, 100)])).toBeNull()
    expect(await held(payer.publicKey)).toBe(100)
  })
})

describe('a payment to a program', () => {
  it('is in the balances of its transaction, goes to the treasury, and is what the venue is told of', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 250]])
    const treasury = new PublicKey(solana.treasury())
    const [usdcBefore, solBefore] = [await held(treasury), await connection.getBalance(treasury)]
    const { err, preBalances, postBalances, preTokenBalances, postTokenBalances, logMessages, signature, fee } = await send(
      payer,
      [takeTokens(payer, 200), takeSol(payer, 3_000_000)],
    )
    expect([err, fee]).toEqual([null, FEE])
    expect([preBalances[0], postBalances[0]]).toEqual([LAMPORTS_PER_SOL, LAMPORTS_PER_SOL - FEE - 3_000_000])
    const amounts = (balances: typeof preTokenBalances) =>
      balances?.map(({ owner, mint, uiTokenAmount }) => [owner, mint, uiTokenAmount.amount])
    const line = [payer.publicKey.toBase58(), USDC.toBase58()]
    expect(amounts(preTokenBalances)).toEqual([[...line, '250']])
    expect(amounts(postTokenBalances)).toEqual([[...line, '50']])
    expect(logMessages).toContain(`Program log: takes 200 of USDC from ${payer.publicKey.toBase58()}`)
    expect(logMessages?.filter((text) => text === `Program ${PROGRAM.toBase58()} success`)).toHaveLength(2)
    expect(await held(treasury)).toBe(usdcBefore + 200)
    expect(await connection.getBalance(treasury)).toBe(solBefore + 3_000_000)
    expect(told.map(({ txHash }) => txHash)).toEqual([signature])
    expect(told[0]?.solana?.instructions.map(({ programId }) => programId)).toEqual([PROGRAM.toBase58(), PROGRAM.toBase58()])
    expect(told[0]?.solana?.payments).toEqual([])
  })

  it('shows in a simulation, which keeps nothing', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 250]])
    const account = accountOf(payer.publicKey).toBase58()
    const { value } = await connection.simulateTransaction(await signed(payer, [takeTokens(payer, 200)]), {
      accounts: { encoding: 'base64', addresses: [account] },
    })
    expect(value.err).toBeNull()
    expect(Buffer.from(value.accounts?.[0]?.data[0] ?? '', 'base64').readBigUInt64LE(64)).toBe(50n)
    expect(await held(payer.publicKey)).toBe(250)
  })

  it('may take everything, down to nothing', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    const { postBalances } = await send(payer, [takeSol(payer, LAMPORTS_PER_SOL - FEE)])
    expect(postBalances[0]).toBe(0)
  })

  it('counts with the others of its transaction: two that fit one by one and not together take nothing', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const twice = [takeTokens(payer, 60), limit, takeTokens(payer, 60)]
    expect((await refusalOf(payer, twice)).err).toEqual(custom(2, 1))
    expect((await force(payer, twice))?.meta?.err).toEqual(custom(2, 1))
    expect(await held(payer.publicKey)).toBe(100)
    await send(payer, [takeTokens(payer, 60), takeTokens(payer, 40)])
    expect(await held(payer.publicKey)).toBe(0)
  })

  it('counts what the other instructions move, in their order', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const from = payer.publicKey
    const sends = [openAccount(from, NOBODY), sendTokens(from, NOBODY, 60)]
    expect((await refusalOf(payer, [...sends, takeTokens(payer, 60)])).err).toEqual(custom(2, 1))
    expect((await refusalOf(payer, [takeTokens(payer, 60), ...sends])).err).toEqual(custom(2, 1))
    expect(
      (await refusalOf(payer, [pay(from, NOBODY, LAMPORTS_PER_SOL - FEE - 5_000_000), takeSol(payer, 6_000_000)])).err,
    ).toEqual(custom(1, 1))
    const { innerInstructions, keys } = await send(payer, [takeTokens(payer, 40), ...sends])
    expect(await held(from)).toBe(0)
    // The call that made the account is still told as it was numbered.
    expect(innerInstructions?.map(({ index }) => index)).toEqual([1])
    const programs = innerInstructions?.[0]?.instructions.map(({ programIdIndex }) => keys[programIdIndex]?.toBase58())
    expect(new Set(programs)).toEqual(new Set([TOKEN.toBase58(), SystemProgram.programId.toBase58()]))
  })

  it('is not made when an instruction after it fails', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const instructions = [takeTokens(payer, 60), takeSol(payer, 1_000_000), refuse(6_000)]
    const { err, logs } = await refusalOf(payer, instructions)
    expect(err).toEqual(custom(2, 6_000))
    expect(logs).toContain('Program log: the venue says no')
    expect(logs.at(-1)).toBe(`Program ${PROGRAM.toBase58()} failed: custom program error: 0x1770`)
    const landed = await force(payer, instructions)
    expect(landed?.meta?.err).toEqual(custom(2, 6_000))
    expect(landed?.meta?.postTokenBalances?.[0]?.uiTokenAmount.amount).toBe('100')
    expect(await lamportsOf(payer)).toBe(LAMPORTS_PER_SOL - FEE)
    expect(told).toEqual([])
  })

  it('costs the fee that was told before, whether the transaction states its compute units or not', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 })
    for (const budget of [[price], [limit, price]]) {
      const transaction = await signed(payer, [...budget, takeSol(payer, 1_000_000)])
      const expected = (await connection.getFeeForMessage(transaction.message)).value ?? 0
      const before = await lamportsOf(payer)
      await connection.sendTransaction(transaction)
      expect(before - (await lamportsOf(payer))).toBe(expected + 1_000_000)
    }
  })

  it('can name what it takes from by a lookup table', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const authority = payer.publicKey
    const recentSlot = await connection.getSlot()
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot })
    const addresses = [accountOf(authority), TOKEN, USDC]
    await send(payer, [
      create,
      AddressLookupTableProgram.extendLookupTable({ authority, payer: authority, lookupTable, addresses }),
    ])
    const { value: table } = await connection.getAddressLookupTable(lookupTable)
    if (!table) throw new Error('no table')
    const transaction = await signed(payer, [takeTokens(payer, 70)], [table])
    expect(transaction.message.addressTableLookups).toHaveLength(1)
    const signature = await connection.sendTransaction(transaction)
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(read?.meta?.postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.amount)).toEqual(['30'])
  })
})

describe('a program that was not let', () => {
  it('takes nothing from a wallet that did not sign', async () => {
    const [payer, other] = [await someoneWith(LAMPORTS_PER_SOL), await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])]
    const from = other.publicKey.toBase58()
    const sol = call({ token: NATIVE_SOL, from, amount: '5' }, [key(other.publicKey, true)])
    const tokens = call({ token: USDC.toBase58(), from, amount: '5' }, [
      key(other.publicKey),
      key(accountOf(other.publicKey), true),
    ])
    for (const charge of [sol, tokens])
      expect((await refusalOf(payer, [charge])).err).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] })
    expect((await force(payer, [tokens]))?.meta?.err).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] })
    expect([await held(other.publicKey), await lamportsOf(other)]).toEqual([100, LAMPORTS_PER_SOL])
  })

  it('takes nothing out of an account that the transaction may not write, or that the call does not name', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const wish = { token: USDC.toBase58(), from: payer.publicKey.toBase58(), amount: '5' }
    const signer = key(payer.publicKey, true, true)
    const unwritable = await refusalOf(payer, [call(wish, [signer, key(accountOf(payer.publicKey))])])
    expect(unwritable.err).toEqual({ InstructionError: [0, expect.stringMatching(/^(Readonly|InvalidAccount)/)] })
    const unnamed = await refusalOf(payer, [call(wish, [signer]), sendTokens(payer.publicKey, payer.publicKey, 1)])
    expect(unnamed.err).toEqual({ InstructionError: [0, 'NotEnoughAccountKeys'] })
    expect(await held(payer.publicKey)).toBe(100)
  })

  it('takes no token that is not there', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    const wish = { token: NOBODY.toBase58(), from: payer.publicKey.toBase58(), amount: '5' }
    const { err } = await refusalOf(payer, [call(wish, [key(payer.publicKey, true, true)])])
    expect(err).toEqual({ InstructionError: [0, 'InvalidAccountData'] })
  })

  it('needs the approval of its delegate, for the amount, and uses it up', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const from = payer.publicKey
    const take = (amount: number) => takeTokens(payer, amount, { delegate: DELEGATE })
    expect((await refusalOf(payer, [take(50)])).err).toEqual(custom(0, 4))
    expect((await refusalOf(payer, [approve(from, NOBODY, 50), take(50)])).err).toEqual(custom(1, 4))
    expect((await refusalOf(payer, [approve(from, DELEGATE, 49), take(50)])).err).toEqual(custom(1, 1))
    expect((await refusalOf(payer, [approve(from, DELEGATE, 50), take(50), take(50)])).err).toEqual(custom(2, 4))
    expect((await refusalOf(payer, [approve(from, DELEGATE, 500), take(500)])).err).toEqual(custom(1, 1))
    const { logMessages } = await send(payer, [approve(from, DELEGATE, 50), take(30)])
    expect(logMessages?.filter((line) => line.startsWith(`Program ${TOKEN.toBase58()} invoke`))).toEqual([
      `Program ${TOKEN.toBase58()} invoke [1]`,
      `Program ${TOKEN.toBase58()} invoke [2]`,
    ])
    const delegation = async () => (await connection.getParsedAccountInfo(accountOf(from))).value?.data
    expect(await delegation()).toMatchObject({
      parsed: { info: { delegate: DELEGATE.toBase58(), delegatedAmount: { amount: '20' } } },
    })
    await send(payer, [take(20)])
    expect(await held(from)).toBe(50)
    expect((await refusalOf(payer, [take(20)])).err).toEqual(custom(0, 4))
  })
})

describe('a program of a venue', () => {
  it('fails with any error of its own', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    for (const code of [0, 1, 4_294_967_295]) expect((await refusalOf(payer, [refuse(code)])).err).toEqual(custom(0, code))
  })

  it('may take nothing: then the transaction runs as it came', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL)
    const { err, postBalances, logMessages } = await send(payer, [call(null, [key(payer.publicKey, true, true)])])
    expect([err, postBalances[0]]).toEqual([null, LAMPORTS_PER_SOL - FEE])
    expect(logMessages?.at(-1)).toBe(`Program ${PROGRAM.toBase58()} success`)
  })
})

it('a transaction that a program charges is refused for what any other is', async () => {
  const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
  const transaction = await signed(payer, [takeTokens(payer, 60), pay(payer.publicKey, NOBODY, 5)])
  const keys = transaction.message.staticAccountKeys
  const place = keys.findIndex((entry) => entry.equals(NOBODY))
  keys[place] = accountOf(payer.publicKey)
  expect((await connection.simulateTransaction(transaction)).value.err).toBe('AccountLoadedTwice')
})

it('a signature verified beside a payment costs as one, and moves no line of the logs', async () => {
  const payer = await someoneWith(LAMPORTS_PER_SOL)
  const verify = Ed25519Program.createInstructionWithPrivateKey({ privateKey: payer.secretKey, message: Buffer.from('hello') })
  const { fee, logMessages, postBalances } = await send(payer, [verify, takeSol(payer, 1_000_000), takeSol(payer, 2_000_000)])
  expect(fee).toBe(2 * FEE)
  expect(postBalances[0]).toBe(LAMPORTS_PER_SOL - 2 * FEE - 3_000_000)
  expect(logMessages?.filter((line) => line.startsWith('Program log: takes'))).toHaveLength(2)
})

it('the guard instructions of wallets hold', async () => {
  const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
  const guard = new TransactionInstruction({ programId: LIGHTHOUSE, keys: [key(payer.publicKey)], data: Buffer.of(6, 0, 1) })
  const { err, postTokenBalances } = await send(payer, [takeTokens(payer, 60), guard])
  expect(err).toBeNull()
  expect(postTokenBalances?.map(({ uiTokenAmount }) => uiTokenAmount.amount)).toEqual(['40'])
})

describe('a program that pays out', () => {
  const treasury = new PublicKey(solana.treasury())
  const delegateOf = async () => {
    const account = await connection.getAccountInfo(accountOf(treasury))
    return account?.data.readUInt32LE(72)
  }

  it('takes and pays in one transaction, whose inner instructions show both, and leaves nobody a right to more', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 250]])
    const before = await held(treasury)
    const into = accountOf(NOBODY)
    const own = [openAccount(payer.publicKey, NOBODY), swapFor(payer, { amount: 200, paid: 150, into, stock: treasury })]
    const had = await held(NOBODY)
    const { innerInstructions, keys } = await send(payer, own)
    expect([await held(payer.publicKey), (await held(NOBODY)) - had]).toEqual([50, 150])
    expect(await held(treasury)).toBe(before + 50)
    const [inner] = innerInstructions?.filter(({ index }) => index === 1) ?? []
    const programs = inner?.instructions.map(({ programIdIndex }) => keys[programIdIndex]?.toBase58())
    expect(programs).toEqual([TOKEN.toBase58(), TOKEN.toBase58()])
    expect(await delegateOf()).toBe(0)
  })

  it('pays nothing where it cannot take, in a simulation, or where what is paid has no account', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 100]])
    const before = await held(treasury)
    const into = accountOf(payer.publicKey)
    const dear = swapFor(payer, { amount: 101, paid: 150, into, stock: treasury })
    expect((await refusalOf(payer, [dear])).err).toEqual(custom(0, 1))
    expect((await force(payer, [dear]))?.meta?.err).toEqual(custom(0, 1))
    const fair = swapFor(payer, { amount: 100, paid: 150, into, stock: treasury })
    expect((await connection.simulateTransaction(await signed(payer, [fair]))).value.err).toBeNull()
    const nowhere = swapFor(payer, { amount: 100, paid: 150, into: accountOf(DELEGATE), stock: treasury })
    expect((await refusalOf(payer, [nowhere])).err).not.toBeNull()
    const unnamed = swapFor(payer, { amount: 100, paid: 150, into, stock: payer.publicKey })
    expect((await refusalOf(payer, [unnamed])).err).toEqual({ InstructionError: [0, 'NotEnoughAccountKeys'] })
    expect([await held(payer.publicKey), await held(treasury), await delegateOf()]).toEqual([100, before, 0])
  })

  it('takes SOL that was wrapped in the same transaction, and nothing that was not', async () => {
    const payer = await someoneWith(LAMPORTS_PER_SOL, [[USDC, 1]])
    const mint = new PublicKey(NATIVE_SOL)
    const wrapped = accountOf(payer.publicKey, mint)
    const open = openAccount(payer.publicKey, payer.publicKey)
    open.keys = open.keys.map((entry, at) =>
      at === 1 ? { ...entry, pubkey: wrapped } : at === 3 ? { ...entry, pubkey: mint } : entry,
    )
    const sync = new TransactionInstruction({
      programId: TOKEN,
      keys: [{ pubkey: wrapped, isSigner: false, isWritable: true }],
      data: Buffer.of(17),
    })
    const into = accountOf(payer.publicKey)
    const swap = swapFor(payer, { amount: 5_000, paid: 7, into, stock: treasury, mint, isWrapped: true })
    expect((await refusalOf(payer, [open, swap])).err).toEqual(custom(1, 1))
    await send(payer, [open, pay(payer.publicKey, wrapped, 5_000), sync, swap])
    expect([await held(payer.publicKey), (await solana.holding(wrapped.toBase58()))?.amount]).toEqual([8, 0n])
  })
})
