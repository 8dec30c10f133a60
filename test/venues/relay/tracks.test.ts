import { afterEach, describe, expect, test } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { depositOf, never, refusalOf, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import {
  API_KEY,
  bitcoinOrder,
  etherOrder,
  NATIVE_SOL,
  openBench,
  properAnswers,
  RECIPIENT_BTC,
  type RelayBench,
  requestIdOf,
  solanaUsdcOrder,
  solOrder,
  USDC,
  usdcOrder,
} from './support.ts'

let bench: RelayBench
afterEach(() => bench?.close())

const HASH = `0x${'51'.repeat(32)}`
const OTHER_HASH = `0x${'aa'.repeat(32)}`
const SIGNATURE = '5'.repeat(88)
const SECOND = 1_000
const MINUTE = 60_000
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }

/** Does what the wallet would, on the chain of the order, and gives the hash of it. */
const pay = async ({ order, execution }: Swap, txHash: string = HASH, amount?: bigint): Promise<string> => {
  if (execution.payload.executionType === 'DEPOSIT') {
    const { chainId, address, amount: due } = depositOf(execution)
    const hash = await bench.world.bitcoin.transfer({ to: address, amount: amount ?? due })
    const seen = bench.sim.onDeposit({ chainId, token: order.input.address, address, amount: amount ?? due, txHash: hash })
    if (!seen) throw new Error('the venue does not know the address')
    return hash
  }
  const { to, data, value, chainId } = transactionOf(execution)
  const transaction = { chainId, from: order.sender, to, data, value, txHash }
  const landed = chainId === -2 ? await bench.network.land(transaction) : transaction
  if (!bench.sim.onTransaction(landed)) throw new Error('the venue does not know the transaction')
  return txHash
}

/** Lets time pass as the offline network does: whatever is due happens at its own moment. */
const pass = (ms: number): Promise<void> => bench.schedule.advance(ms)

const track = (swap: Swap, ref: string, executed: Swap['executed'] | null = swap.executed) =>
  bench.venue.tracker?.track(ref, { order: swap.order, offer: swap.offer, executed }, never())

const open = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}): Promise<Swap> => {
  bench = await openBench(options)
  return swapOf(bench.venue, order)
}

describe('a swap from payment to delivery', () => {
  const ROUTES = [
    ['tokens', usdcOrder(), HASH],
    ['coins', etherOrder(), HASH],
    ['from Solana', solOrder(), SIGNATURE],
    ['tokens from Solana', solanaUsdcOrder(), SIGNATURE],
    ['to Solana', usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }), HASH],
  ] as const
  test.each(ROUTES)('%s: pending, processing, success', async (_name, order, ref) => {
    const swap = await open(order)
    expect(await track(swap, ref)).toEqual({ ...NOTHING, state: 'pending', venueStatus: 'waiting' })
    await pay(swap, ref)
    for (const venueStatus of ['depositing', 'pending', 'submitted']) {
      expect(await track(swap, ref)).toEqual({ ...NOTHING, state: 'processing', venueStatus })
      await pass(2 * SECOND)
    }
    const done = await track(swap, ref)
    expect(done).toMatchObject({ state: 'success', venueStatus: 'success', deliveredAmount: null })
    expect(done?.txHash).toMatch(order.output.chainId === -2 ? /^[1-9A-HJ-NP-Za-km-z]{80,}$/ : /^0x[0-9a-f]{64}$/)
    // What the service broadcasts itself is followed by the venue’s own id.
    expect(await track(swap, requestIdOf(swap.execution))).toEqual(done)
  })

  test('from Bitcoin by the deposit address, a block being waited for', async () => {
    const swap = await open(bitcoinOrder())
    const { address } = depositOf(swap.execution)
    expect(await track(swap, address)).toMatchObject({ state: 'pending', venueStatus: 'waiting' })
    await pay(swap)
    expect(await track(swap, address)).toMatchObject({ state: 'processing', venueStatus: 'pending' })
    await pass(30 * SECOND)
    expect(await track(swap, address)).toMatchObject({ state: 'processing', venueStatus: 'pending' })
    await pass(60 * MINUTE)
    expect(await track(swap, address)).toMatchObject({ state: 'success' })
    expect(await track(swap, address.toUpperCase())).toMatchObject({ state: 'success' })
  })

  test('asks by the request’s id, and for nothing else', async () => {
    const swap = await open(usdcOrder())
    await track(swap, HASH)
    expect(bench.sent.slice(3).map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
      `GET /intents/status/v3?requestId=${requestIdOf(swap.execution)}`,
    ])
  })
})

describe('what was delivered', () => {
  test('is told from the venue’s books, to those who have a key', async () => {
    const swap = await open(etherOrder(), { apiKey: API_KEY })
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toMatchObject({ state: 'success', deliveredAmount: 999_954_924_050_632_911n })
    const { path, query } = bench.sent.at(-1) ?? {}
    expect(`${path}?${query}`).toBe(`/requests/v3?id=${requestIdOf(swap.execution)}`)
  })

  test('is not known without one, and not when the books cannot be read: the service looks at the chain', async () => {
    const keyless = await open(usdcOrder())
    await pay(keyless)
    await pass(MINUTE)
    expect(await track(keyless, HASH)).toMatchObject({ state: 'success', deliveredAmount: null })
    await bench.close()
    const swap = await open(usdcOrder(), { apiKey: API_KEY })
    await pay(swap)
    await pass(MINUTE)
    bench.faults.set('relay', 'http-500', { path: '/requests/v3' }, null)
    expect(await track(swap, HASH)).toMatchObject({ state: 'success', deliveredAmount: null })
  })

  test.each([
    ['tokens', usdcOrder(), USDC.arbitrum],
    ['SOL', usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }), NATIVE_SOL],
  ] as const)('%s went to the recipient, by the transaction that is named', async (_name, order, token) => {
    const swap = await open(order)
    await pay(swap)
    await pass(MINUTE)
    const done = await track(swap, HASH)
    const { output, recipient: to } = order
    expect(bench.network.payouts).toEqual([
      { chainId: output.chainId, token, to, amount: swap.execution.outputAmount, txHash: done?.txHash },
    ])
  })

  test('bitcoin went to the recipient, on the ledger', async () => {
    const swap = await open(etherOrder({ to: [-1, 'BTC'], recipient: RECIPIENT_BTC }))
    await pay(swap)
    await pass(MINUTE)
    const done = await track(swap, HASH)
    expect(bench.world.bitcoin.transaction(done?.txHash ?? '')).not.toBeNull()
    expect(await bench.world.bitcoin.balance(RECIPIENT_BTC)).toBe(swap.execution.outputAmount)
  })
})

describe('a swap that goes wrong', () => {
  test('never filled: tried again and again, then refunded', async () => {
    const swap = await open(usdcOrder())
    bench.faults.set('relay', 'never-fills', {}, 1)
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toEqual({ ...NOTHING, state: 'processing', venueStatus: 'delayed' })
    await pass(30 * MINUTE)
    const refunded = await track(swap, HASH)
    expect(refunded).toMatchObject({ state: 'refunded', venueStatus: 'refund', deliveredAmount: null })
    expect(refunded?.txHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test('too little paid for anything is refunded', async () => {
    const swap = await open(bitcoinOrder())
    const { address } = depositOf(swap.execution)
    await pay(swap, HASH, 2_600n)
    await pass(3 * 60 * MINUTE)
    const refunded = await track(swap, address)
    expect(refunded).toMatchObject({ state: 'refunded' })
    expect(bench.world.bitcoin.transaction(refunded?.txHash ?? '')).not.toBeNull()
    expect(await bench.world.bitcoin.balance(WALLETS.bitcoin)).toBe(2_600n - 1_900n)
  })

  test.each([
    ['less', 999_000n],
    ['more', 1_500_000n],
  ])('%s paid than asked for is quoted again, and followed with a key', async (_name, paid) => {
    const swap = await open(bitcoinOrder(), { apiKey: API_KEY })
    const { address } = depositOf(swap.execution)
    await pay(swap, HASH, paid)
    await pass(3 * 60 * MINUTE)
    const [payout] = bench.network.payouts
    expect(payout?.to).toBe(swap.order.recipient)
    expect(await track(swap, address)).toMatchObject({ state: 'success', deliveredAmount: payout?.amount })
    expect(await track(swap, address, null)).toMatchObject({ state: 'success' })
  })

  test('a price that fell below the minimum is refunded', async () => {
    const swap = await open(etherOrder({ to: [42161, USDC.arbitrum] }))
    bench.market.setPrice('ETH', 3_800_000_000n)
    await pay(swap)
    await pass(40 * MINUTE)
    expect(await track(swap, HASH)).toMatchObject({ state: 'refunded' })
  })

  test('one the chains refuse to fill is refunded, and one they refuse to refund has failed', async () => {
    const swap = await open(usdcOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana }))
    await pay(swap)
    bench.network.refusal = 'the account is frozen'
    await pass(MINUTE)
    expect(await track(swap, HASH)).toMatchObject({ state: 'processing', venueStatus: 'delayed' })
    expect(bench.problems.splice(0)).toHaveLength(1)
    await pass(30 * MINUTE)
    expect(await track(swap, HASH)).toMatchObject({ state: 'failed' })
    expect(bench.problems.splice(0)).toHaveLength(1)
  })

  test('a payment that is undone by a reorganisation has failed', async () => {
    const swap = await open(usdcOrder())
    await pay(swap)
    bench.network.gone.add(HASH)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toMatchObject({ state: 'failed' })
    expect(bench.network.payouts).toEqual([])
  })

  test('a success without a transaction is a claim, not a success', async () => {
    const swap = await open(usdcOrder())
    bench.faults.set('relay', 'lying-success', {}, 1)
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toEqual({ ...NOTHING, state: 'processing', venueStatus: 'success' })
  })

  test('a short fill is told as what arrived', async () => {
    const swap = await open(etherOrder(), { apiKey: API_KEY })
    bench.faults.set('relay', 'short-fill', {}, 1)
    await pay(swap)
    await pass(MINUTE)
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    expect(await track(swap, HASH)).toMatchObject({ state: 'success', deliveredAmount: (least * 9n) / 10n })
  })

  test('a status nobody documented is unknown', async () => {
    const swap = await open(usdcOrder())
    bench.faults.set('relay', 'unknown-status', {}, 1)
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toEqual({ ...NOTHING, state: 'unknown', venueStatus: 'reviewing' })
  })

  test('a failed one has failed', async () => {
    const swap = await open(usdcOrder())
    bench.faults.set('relay', 'fails', {}, 1)
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH)).toEqual({ ...NOTHING, state: 'failed', venueStatus: 'failure' })
  })

  test('reverted on chain, it has failed although the venue still waits; another’s reverted transaction says nothing', async () => {
    const swap = await open(usdcOrder())
    const to = transactionOf(swap.execution).to.toLowerCase() as Hex
    const from = swap.order.sender.toLowerCase() as Hex
    const reverted = { isSuccess: false, from, to, logs: [] }
    bench.chains.script.transactionReceipt = async () => reverted
    expect(await track(swap, HASH)).toEqual({ ...NOTHING, state: 'failed', venueStatus: 'waiting' })
    expect(bench.chains.calls).toMatchObject([{ query: { chainId: 8453, hash: HASH } }])
    for (const other of [
      { ...reverted, from: to },
      { ...reverted, to: from },
      { ...reverted, isSuccess: true },
    ]) {
      bench.chains.script.transactionReceipt = async () => other
      expect(await track(swap, HASH)).toMatchObject({ state: 'pending' })
    }
    bench.chains.script.transactionReceipt = () => Promise.reject(new ChainError('timeout', 8453, 'late'))
    expect(await track(swap, HASH)).toMatchObject({ state: 'pending' })
  })
})

describe('a swap that is never paid', () => {
  test.each([
    ['a transaction', usdcOrder(), 60 * MINUTE],
    ['a deposit in bitcoin', bitcoinOrder(), 24 * 60 * MINUTE],
  ] as const)('%s has expired some time after its price', async (_name, order, grace) => {
    const swap = await open(order)
    const ref = order.input.chainId === -1 ? depositOf(swap.execution).address : HASH
    await pass(30 * SECOND + grace)
    expect(await track(swap, ref)).toMatchObject({ state: 'pending', venueStatus: 'waiting' })
    await pass(1)
    expect(await track(swap, ref)).toEqual({ ...NOTHING, state: 'expired', venueStatus: 'waiting' })
    // Paid late it is a swap again.
    await pay(swap)
    expect((await track(swap, ref))?.state).toBe('processing')
  })
})

describe('a ref of another swap is not found', () => {
  test('a transaction that is none of the request’s', async () => {
    const swap = await open(usdcOrder())
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, OTHER_HASH)).toEqual({ ...NOTHING, state: 'not_found' })
    expect(await track(swap, HASH.toUpperCase().replace('0X', '0x'))).toMatchObject({ state: 'success' })
  })

  test('a text that is no transaction, address or id is not even asked for', async () => {
    const swap = await open(usdcOrder())
    const before = bench.sent.length
    for (const ref of ['', '0x51', SIGNATURE, WALLETS.evm, WALLETS.bitcoin, `${HASH}&index=1`, '../../v1'])
      expect(await track(swap, ref)).toEqual({ ...NOTHING, state: 'not_found' })
    expect(bench.sent).toHaveLength(before)
  })

  test('another deposit address', async () => {
    const swap = await open(bitcoinOrder())
    expect(await track(swap, WALLETS.bitcoin)).toEqual({ ...NOTHING, state: 'not_found' })
    expect(await track(swap, 'ab'.repeat(32))).toEqual({ ...NOTHING, state: 'not_found' })
  })

  test('an id the venue does not know', async () => {
    const swap = await open(usdcOrder())
    const carry = { ...(swap.execution.carry as object), requestId: OTHER_HASH }
    const executed = { ...swap.executed, execution: { ...swap.execution, carry } }
    expect(await track(swap, HASH, executed)).toEqual({ ...NOTHING, state: 'not_found' })
  })

  test('a carry of another version is a bad response', async () => {
    const swap = await open(usdcOrder())
    const executed = { ...swap.executed, execution: { ...swap.execution, carry: { v: 2 } } }
    expect((await refusalOf(Promise.resolve(track(swap, HASH, executed)))).kind).toBe('badResponse')
  })
})

describe('without our record of the swap', () => {
  test('a venue without a key cannot be asked: nothing is known', async () => {
    const swap = await open(usdcOrder())
    await pay(swap)
    const before = bench.sent.length
    expect(await track(swap, HASH, null)).toEqual({ ...NOTHING, state: 'unknown' })
    expect(bench.sent).toHaveLength(before)
  })

  test('with a key it is found by what paid it', async () => {
    const swap = await open(usdcOrder(), { apiKey: API_KEY })
    expect(await track(swap, HASH, null)).toEqual({ ...NOTHING, state: 'not_found' })
    await pay(swap)
    await pass(MINUTE)
    expect(await track(swap, HASH, null)).toMatchObject({ state: 'success', deliveredAmount: 249_950_500n })
    const asked = bench.sent.filter(({ path }) => path === '/requests/v3').map(({ query }) => String(query))
    expect(asked[0]).toBe(`depositTxHash=${HASH}`)
  })

  test('a deposit address by itself', async () => {
    const swap = await open(bitcoinOrder(), { apiKey: API_KEY })
    const { address } = depositOf(swap.execution)
    expect(await track(swap, address, null)).toMatchObject({ state: 'pending' })
    expect(bench.sent.some(({ query }) => String(query) === `depositAddress=${address}`)).toBe(true)
  })

  const OTHERS: readonly (readonly [string, VenueOrder])[] = [
    ['another recipient', usdcOrder({ recipient: WALLETS.evm })],
    ['another amount', usdcOrder({ amount: 250_000_001n })],
    ['another output token', usdcOrder({ to: [42161, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'] })],
    ['another destination', usdcOrder({ to: [1, USDC.ethereum] })],
    ['another input token', etherOrder({ to: [42161, USDC.arbitrum], amount: 10n ** 17n })],
  ]
  test.each(OTHERS)('%s is another swap', async (_name, other) => {
    const swap = await open(usdcOrder(), { apiKey: API_KEY })
    const stranger = await swapOf(bench.venue, other)
    await pay(stranger, OTHER_HASH)
    await pass(MINUTE)
    expect(await track(stranger, OTHER_HASH, null)).toMatchObject({ state: 'success' })
    expect(await track(swap, OTHER_HASH, null)).toEqual({ ...NOTHING, state: 'not_found' })
  })
})

describe('every raw status', async () => {
  const { chains, quote } = await properAnswers(usdcOrder())
  const ask = async (status: unknown, statusCode = 200) => {
    const answers: { [path: string]: { status?: number; body: unknown } } = {
      '/chains': { body: chains },
      '/intents/status/v3': { status: statusCode, body: status },
    }
    const broken = canned(relay, ({ path }) => answers[path] ?? { body: quote })
    const swap = await swapOf(broken.venue, usdcOrder())
    return await broken.venue.tracker?.track(HASH, swap, never())
  }
  const FILL = { txHashes: ['0x01', '0x02'] }

  test.each([
    ['waiting', {}, 'pending', null],
    ['waiting', { inTxHashes: [HASH] }, 'pending', null],
    ['depositing', {}, 'processing', null],
    ['pending', { details: 'Could not fill request (will retry)' }, 'processing', null],
    ['submitted', FILL, 'processing', null],
    ['delayed', {}, 'processing', null],
    ['fallback', {}, 'processing', null],
    ['success', FILL, 'success', '0x02'],
    ['success', {}, 'processing', null],
    ['success', { txHashes: [] }, 'processing', null],
    ['refund', FILL, 'refunded', '0x02'],
    ['refund', { ...FILL, refundFailReason: 'N/A' }, 'refunded', '0x02'],
    ['refund', { ...FILL, refundFailReason: null }, 'refunded', '0x02'],
    // Owed, and not seen: no end of a swap.
    ['refund', {}, 'expired', null],
    ['refund', { txHashes: [] }, 'expired', null],
    ['refund', { ...FILL, refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' }, 'expired', null],
    ['failure', FILL, 'failed', null],
    ['failure', { failReason: 'NO_QUOTES' }, 'failed', null],
    ['failure', { failReason: null }, 'failed', null],
    // The fill was sent, and may be found in a block yet.
    ['failure', { failReason: 'TRANSACTION_NOT_INCLUDED' }, 'processing', null],
    ['unknown', FILL, 'not_found', null],
    ['SUCCESS', FILL, 'unknown', null],
    ['completed', FILL, 'unknown', null],
    ['constructor', FILL, 'unknown', null],
  ] as const)('%s %o is %s', async (status, more, state, txHash) => {
    expect(await ask({ status, ...more })).toEqual({ state, venueStatus: status, deliveredAmount: null, txHash })
  })

  test.each([400, 404])('HTTP %d is an id nobody knows', async (statusCode) => {
    expect(await ask({ message: 'no' }, statusCode)).toEqual({ ...NOTHING, state: 'not_found' })
  })

  test('a request of another route is another’s', async () => {
    for (const route of [{ originChainId: 1 }, { destinationChainId: 10 }])
      expect(await ask({ status: 'success', ...FILL, ...route })).toEqual({ ...NOTHING, state: 'not_found' })
    expect(await ask({ status: 'success', ...FILL, originChainId: 8453, destinationChainId: 42161 })).toMatchObject({
      state: 'success',
    })
  })
})
