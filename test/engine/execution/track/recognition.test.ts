import { afterEach, describe, expect, it } from 'vitest'
import type { SeenInstruction, SeenTransaction } from '../../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import { wordless } from '../../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { addressFor, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { callOf, done, type Executed, type MoneyBench, OTHER, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'

/** Whose payment a transaction is, where the venue's contracts emit nothing: by the call handed out and what left the sender. */

const DAY_MS = 86_400_000
const STRANGER = addressFor('evm', 'stranger')
const BUNDLER = addressFor('evm', 'bundler')
const ENTRY_POINT = addressFor('evm', 'entry point')
const { usdcEthereum: USDC } = TOKENS

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (): Promise<MoneyBench> => {
  const bench = await startMoneyBench('TRANSACTION')
  closers.push(() => bench.close())
  bench.says('pending')
  return bench
}

const bare = (hex: string): string => hex.slice(2).toLowerCase()
/** What a contract wallet or a bundler is handed: the target and the call stand in it as they are. */
const bundled = (...swaps: readonly Executed[]): Hex => {
  const calls = swaps.map(callOf).map(({ to, data }) => `${bare(to).padStart(64, '0')}${'00'.repeat(32)}${bare(data)}`)
  return `0x6a761202${calls.join('ff'.repeat(32))}`
}
const left = (from: Address, place: string, amount = PAID_IN) => movement(USDC, TOY_CONTRACT, amount, { from, place })

/** A transaction of somebody else's that carries swaps' calls. */
const carried = (swaps: readonly Executed[], wish: Partial<SeenTransaction> = {}): Partial<SeenTransaction> => ({
  call: { from: BUNDLER, to: ENTRY_POINT, data: bundled(...swaps), value: 0n },
  movements: swaps.map((_swap, index) => left(WALLETS.evm, `log:${index}`)),
  ...wish,
})

describe('a quote that was never executed [status-foreign-ref-not-found]', () => {
  it('is not_found, whatever the chain shows and its venue says', async () => {
    const bench = await start()
    const swap = await bench.execute()
    const [hash, delivery] = [bench.pay(swap), bench.deliver(swap)]
    bench.says('success', done(delivery))
    const quoteToken = await bench.quote()
    const asked = bench.venue.calls.track.length
    expect(await bench.status({ quoteToken, ref: hash })).toMatchObject(wordless('not_found'))
    expect(bench.venue.calls.track).toHaveLength(asked)
    expect(await bench.stateOf(swap, hash)).toBe('success')
  })

  it('is not_found of a DEPOSIT too where the address is another swap’s, and never terminal where it is nobody’s', async () => {
    const bench = await startMoneyBench('DEPOSIT')
    closers.push(() => bench.close())
    const swap = await bench.execute()
    bench.pay(swap)
    bench.says('success', done(bench.deliver(swap)))
    const quoteToken = await bench.quote()
    expect(await bench.status({ quoteToken, ref: swap.ref })).toMatchObject(wordless('not_found'))
    expect(bench.venue.calls.track).toEqual([])
    for (const state of ['success', 'refunded', 'failed'] as const) {
      bench.says(state, done(bench.deliver(swap)))
      expect(await bench.stateOf({ quoteToken, ref: STRANGER })).toBe('processing')
    }
  })
})

describe('a stranger’s payment of the same pair, amount and recipient [status-foreign-ref-not-found]', () => {
  it.each([0, 3 * DAY_MS])('is not found, %d ms old, and the real one is not kept from its swap', async (age) => {
    const bench = await start()
    const swap = await bench.execute()
    const call = { from: STRANGER, to: TOY_CONTRACT, data: '0x70a70a70ffff' as const, value: 0n }
    const theirs = bench.pay(swap, PAID_IN, { call, movements: [left(STRANGER, 'log:0')], at: START_AT - age })
    bench.says('success', done(bench.deliver(swap)))
    expect(await bench.stateOf(swap, theirs)).toBe('not_found')
    expect(bench.venue.calls.track).toEqual([])
    expect(await bench.stateOf(swap, bench.pay(swap))).toBe('success')
  })

  it('is not found though it is the very call: another’s money made it', async () => {
    const bench = await start()
    const swap = await bench.execute()
    const { to, data } = callOf(swap)
    const call = { from: STRANGER, to, data: data as Hex, value: 0n }
    const theirs = bench.pay(swap, PAID_IN, { call, movements: [left(STRANGER, 'log:0')] })
    expect(await bench.stateOf(swap, theirs)).toBe('not_found')
  })

  it('is not found where it is the very call and older than the execution', async () => {
    const bench = await start()
    const swap = await bench.execute()
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { at: START_AT - 6 * 60_000 }))).toBe('not_found')
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { at: START_AT - 4 * 60_000 }))).toBe('processing')
  })

  it.each(['garbage', '0x12', WALLETS.solana])('is not found by %s, which no transaction is known by', async (ref) => {
    const bench = await start()
    const swap = await bench.execute()
    bench.says('processing')
    bench.pass(DAY_MS / 2)
    expect(await bench.stateOf(swap, ref)).toBe('not_found')
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'pending' }, endedAt: null, ref: null })
  })
})

describe('a payment', () => {
  it('by the call itself is the swap’s, and the record goes by it from then on', async () => {
    const bench = await start()
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    expect(await bench.kept(swap)).toMatchObject({ ref: hash, status: { state: 'processing' } })
    expect(await bench.payments(swap)).toMatchObject([{ kind: 'input', amount: PAID_IN, txHash: hash, place: `${hash}/log:0` }])
  })

  it.each([
    ['other calldata', (swap: Executed) => ({ data: `${callOf(swap).data}00` as Hex })],
    ['another contract', () => ({ to: STRANGER })],
    ['a value that was not asked for', () => ({ value: 1n })],
    ['no contract', () => ({ to: null })],
  ])('is none with %s', async (_what, change) => {
    const bench = await start()
    const swap = await bench.execute()
    const { to, data } = callOf(swap)
    const call = { from: WALLETS.evm, to, data: data as Hex, value: 0n, ...change(swap) }
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { call }))).toBe('not_found')
    expect(await bench.payments(swap)).toEqual([])
  })

  it.each([PAID_IN - 1n, PAID_IN + 1n])('is none where %d left the sender', async (amount) => {
    const bench = await start()
    const swap = await bench.execute()
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { movements: [left(WALLETS.evm, 'log:0', amount)] }))).toBe(
      'not_found',
    )
  })

  it('in coins is shown by the value of the call', async () => {
    const bench = await start()
    const swap = await bench.execute({ from: [1, nativeAsset(1).address] })
    const hash = bench.pay(swap)
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    expect(await bench.payments(swap)).toMatchObject([{ place: `${hash}/value`, amount: PAID_IN }])
  })

  it('on Solana is the instruction that was handed out, wherever it ran', async () => {
    const bench = await start()
    const swap = await bench.execute({ from: pair(TOKENS.usdcSolana), recipient: WALLETS.evm })
    const [wanted] = (await decodeSolanaTransaction(callOf(swap).serialized ?? ''))?.instructions ?? []
    if (!wanted) throw new Error('no instruction')
    const ran: SeenInstruction = {
      index: 3,
      program: wanted.programId,
      accounts: wanted.accounts.map((account) => account ?? WALLETS.solana),
      data: wanted.data,
    }
    const signature = (number: number, instruction: SeenInstruction, isSuccess = true) =>
      bench.pay(swap, PAID_IN, { hash: hashOf(number, -2), call: null, movements: [], instructions: [instruction], isSuccess })
    expect(await bench.stateOf(swap, signature(1, { ...ran, data: Uint8Array.of(1) }))).toBe('not_found')
    expect(await bench.stateOf(swap, signature(2, { ...ran, accounts: [addressFor('solana', 'other')] }))).toBe('not_found')
    const further = { ...ran, accounts: [...ran.accounts, addressFor('solana', 'other')] }
    expect(await bench.stateOf(swap, signature(5, further))).toBe('not_found')
    expect(await bench.stateOf(swap, signature(3, { ...ran, program: addressFor('solana', 'other') }))).toBe('not_found')
    expect(await bench.stateOf(swap, signature(6, ran, false))).toBe('failed')
    expect(await bench.kept(swap)).toMatchObject({ endedAt: null, status: { state: 'pending' } })
    expect(await bench.stateOf(swap, signature(4, ran))).toBe('processing')
    expect(await bench.payments(swap)).toMatchObject([{ place: `${hashOf(4, -2)}/instruction:3` }])
  })
})

describe('a call inside another transaction [status-contract-wallet-paid]', () => {
  it('is a contract wallet’s payment, and no plain wallet’s', async () => {
    for (const isContract of [true, false]) {
      const bench = await start()
      const swap = await bench.execute()
      if (isContract) bench.chain.withCode.add(WALLETS.evm)
      expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, carried([swap])))).toBe(isContract ? 'processing' : 'failed')
      expect(await bench.payments(swap)).toHaveLength(isContract ? 1 : 0)
    }
  })

  it('is its sender’s among a stranger’s operations in one bundle', async () => {
    const bench = await start()
    const [swap, theirs] = [await bench.execute(), await bench.execute({ sender: STRANGER, recipient: STRANGER })]
    bench.chain.withCode.add(WALLETS.evm).add(STRANGER)
    const movements = [left(STRANGER, 'log:0'), left(WALLETS.evm, 'log:1')]
    const hash = bench.pay(swap, PAID_IN, carried([theirs, swap], { movements }))
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    expect(await bench.stateOf(theirs, hash)).toBe('processing')
    expect(await bench.payments(swap)).toMatchObject([{ place: `${hash}/log:1` }])
    expect(await bench.payments(theirs)).toMatchObject([{ place: `${hash}/log:0` }])
  })

  it('is that of a wallet that delegates to code and calls itself (EIP-7702)', async () => {
    const bench = await start()
    const swap = await bench.execute()
    bench.chain.withCode.add(WALLETS.evm)
    const call = { from: WALLETS.evm, to: WALLETS.evm, data: bundled(swap), value: 0n }
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, carried([swap], { call })))).toBe('processing')
  })

  it('is the swap’s and another’s where both stand in it, each with a payment of its own', async () => {
    const bench = await start()
    bench.chain.withCode.add(WALLETS.evm)
    const swaps = [await bench.execute(), await bench.execute({ recipient: OTHER })] as const
    const hash = bench.pay(swaps[0], PAID_IN, carried(swaps))
    bench.saysOf(swaps[0], { ...wordless('pending'), state: 'success', txHash: bench.deliver(swaps[0]) })
    bench.saysOf(swaps[1], { ...wordless('pending'), state: 'success', txHash: bench.deliver(swaps[1]) })
    for (const swap of swaps) expect(await bench.stateOf(swap, hash)).toBe('success')
    const places = await Promise.all(
      swaps.map(async (swap) => (await bench.payments(swap)).find(({ kind }) => kind === 'input')?.place),
    )
    expect(new Set(places)).toEqual(new Set([`${hash}/log:0`, `${hash}/log:1`]))
  })

  it('is one payment where the money left once, whoever asks first', async () => {
    const bench = await start()
    bench.chain.withCode.add(WALLETS.evm)
    const swaps = [await bench.execute(), await bench.execute({ recipient: OTHER })] as const
    const hash = bench.pay(swaps[0], PAID_IN, carried(swaps, { movements: [left(WALLETS.evm, 'log:0')] }))
    const states = await Promise.all(swaps.map((swap) => bench.stateOf(swap, hash)))
    expect(states.sort()).toEqual(['not_found', 'processing'])
  })

  it('that failed in a bundle which succeeded failed for its ref, and has not ended the swap', async () => {
    const bench = await start()
    bench.chain.withCode.add(WALLETS.evm)
    const swap = await bench.execute()
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, carried([swap], { movements: [] })))).toBe('failed')
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'pending' }, endedAt: null, ref: null })
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, carried([swap])))).toBe('processing')
  })

  it('in coins leaves no trace of whether it was made, and so ends nothing', async () => {
    const bench = await start()
    bench.chain.withCode.add(WALLETS.evm)
    const swap = await bench.execute({ from: [1, nativeAsset(1).address] })
    const along = movement(nativeAsset(1), ENTRY_POINT, PAID_IN, { from: WALLETS.evm, place: 'value' })
    const hash = bench.pay(swap, PAID_IN, carried([swap], { movements: [along] }))
    bench.pass(DAY_MS / 2)
    for (const state of ['pending', 'failed', 'success', 'refunded'] as const) {
      bench.says(state, done(bench.deliver(swap)))
      expect(['pending', 'processing']).toContain(await bench.stateOf(swap, hash))
    }
    expect((await bench.kept(swap)).endedAt).toBeNull()
  })

  it('is found at whole bytes only, and needs its target beside it', async () => {
    const bench = await start()
    bench.chain.withCode.add(WALLETS.evm)
    const swap = await bench.execute()
    const { to, data } = callOf(swap)
    for (const inside of [`0x0${bare(to)}${bare(data)}0`, `0x${bare(data)}`, `0x${bare(to)}${bare(data).slice(0, -2)}`]) {
      const call = { from: BUNDLER, to: ENTRY_POINT, data: inside as Hex, value: 0n }
      expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, carried([swap], { call })))).toBe('not_found')
    }
  })
})

describe('a thief who executes first with the victim’s recipient', () => {
  it('has nothing of the victim’s payment, whoever asks first', async () => {
    for (const asksFirst of ['thief', 'victim'] as const) {
      const bench = await start()
      const thief = await bench.execute({ sender: STRANGER, recipient: WALLETS.evm })
      const victim = await bench.execute()
      const hash = bench.pay(victim)
      const delivery = done(bench.deliver(victim))
      bench.says('success', delivery)
      const order = asksFirst === 'thief' ? [thief, victim] : [victim, thief]
      for (const swap of order) await bench.status(swap, hash)
      expect(await bench.stateOf(victim, hash)).toBe('success')
      expect(await bench.stateOf(thief, hash)).toBe('not_found')
      expect(await bench.payments(thief)).toEqual([])
    }
  })

  it('has nothing of it in the victim’s name either, where the payloads differ in anything', async () => {
    const bench = await start()
    const thief = await bench.execute()
    bench.pass(1)
    const victim = await bench.execute()
    const hash = bench.pay(victim)
    expect(await bench.stateOf(thief, hash)).toBe('not_found')
    expect(await bench.stateOf(victim, hash)).toBe('processing')
  })
})
