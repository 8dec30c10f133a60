import { pad } from 'viem'
import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import type { Execution, Hex } from '../../../engine/core/execution.ts'
import { bytesOf } from '../../../engine/venues/debridge/protocol.ts'
import { any, atLeast, attackPayload, type Rules } from '../../support/venueKit/attackPayload.ts'
import { attackSolana } from '../../support/venueKit/attackSolana.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, type Change, changed, pricesAt, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { createdBy, DESTINATION, FORWARDER, readCall, SOURCE, type Words, writeCall, writeForwarded } from './abi.ts'
import { openBench, orders, RECIPIENT_SOLANA, STRANGER, told, WITH_FEE } from './support.ts'

const DATA = 'payload.transaction.data'
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const WETH_ARBITRUM = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'

const stranger = STRANGER as string as Hex

/** The event alone tells the referral code and the metadata, and the forwarder insists on the output of any exchange. */
const HARMLESS: Rules<Words> = { referralCode: any, metadata: any, 'swap.srcSwapRouter': any, 'swap.srcSwapCalldata': any }

/** Addresses of another length, a fee of somebody else, chains by their numbers, and contracts with a part in the call. */
function* otherCalls(words: Words): Generator<Words | string> {
  const { order, swap } = words
  const other = (changes: Partial<Words['order']>): Words => ({ ...words, order: { ...order, ...changes } })
  const named = ['takeTokenAddress', 'receiverDst', 'orderAuthorityAddressDst', 'allowedCancelBeneficiarySrc'] as const
  for (const name of named) for (const bytes of ['0x', pad(stranger)] as const) yield other({ [name]: bytes })
  yield other({ allowedTakerDst: pad(stranger) })
  for (const takeChainId of [8453n, 999n, 7565164n]) yield other({ takeChainId })
  const shares = [(order.giveAmount * 15n) / 10_000n, (order.giveAmount * 4n) / 5n, 10n ** 30n]
  const fees = ['0x01' as const, ...shares.map((amount) => ({ beneficiary: stranger, amount }))]
  for (const affiliateFee of fees) yield { ...words, affiliateFee }
  if (swap === null) return
  const { srcTokenIn, srcTokenOut } = swap
  for (const srcSwapRouter of [SOURCE, FORWARDER, srcTokenIn, srcTokenOut]) yield { ...words, swap: { ...swap, srcSwapRouter } }
  const tokens = [{ srcTokenIn: srcTokenOut }, { srcTokenOut: srcTokenIn }]
  for (const change of [...tokens, { srcTokenRefundRecipient: SOURCE }, { target: DESTINATION }])
    yield { ...words, swap: { ...swap, ...change } }
  for (const call of ['0x', '0xdeadbeef'] as const) yield writeForwarded(swap, call)
  // What is bought is worth less than what is quoted.
  yield { ...other({ giveAmount: 1_000_000n }), swap: { ...swap, srcTokenExpectedAmountOut: 1_000_000n } }
}

/** Beside altered bytes the id of their order. */
const withItsId = (data: string, { order, execution }: Swap): Pick<Execution, 'venueRef' | 'evidence'> => {
  const { venueRef, evidence } = execution
  try {
    const { orderId } = createdBy({ ...transactionOf(execution), from: order.sender, data })
    return { venueRef: orderId, evidence: { ...(evidence as object), orderId } }
  } catch {
    return { venueRef, evidence }
  }
}

const attacked = { venue: 'debridge', open: openBench, codec: { read: readCall, write: writeCall }, also: otherCalls }
const tokens = { order: orders.usdc({ feeBps: 15 }), settings: WITH_FEE }

attackPayload({
  ...{ ...attacked, harmless: HARMLESS },
  swaps: [
    { title: 'tokens, with a fee', ...tokens },
    { title: 'coins', order: orders.ether() },
  ],
})

attackPayload({
  ...attacked,
  swaps: [
    { title: 'tokens, with the id of the altered order', ...tokens },
    { title: 'a swap before the order, with the id of the altered order', order: orders.arb() },
  ],
  harmless: { ...HARMLESS, salt: any, 'order.takeAmount': atLeast },
  fitted: withItsId,
})

// The last bytes are four of the referral code, eight of the nonce, four of a length and 33 of metadata.
attackSolana({
  ...{ venue: 'debridge', open: openBench, at: 2 },
  swaps: [{ title: 'from Solana, with a fee', order: orders.fromSolana({ feeBps: 25 }), settings: WITH_FEE }],
  isHarmless: (place, size) => place >= size - 33 || (place >= size - 49 && place < size - 45),
})

const open = closedAfterEach(openBench)
const count = countMutations('debridge')
const FEE = '1000000000000000'
const OTHER_ID = `0x${'ab'.repeat(32)}`

test('proof: rejects other evidence, another contract of deBridge, a lower value and another refund address or flat fee', async () => {
  const bench = await open({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, orders.usdc({ feeBps: 15 }))
  const { value } = transactionOf(swap.execution)
  const orderId = swap.execution.venueRef
  const evidence = [null, { v: 1, orderId: OTHER_ID }, { v: 2, orderId, fixFee: FEE }, { v: 1, orderId: OTHER_ID, fixFee: FEE }]
  const changes: readonly Change[] = [
    ...[...evidence, { v: 1, orderId, fixFee: '1' }].map((other) => ({ evidence: other })),
    ...[DESTINATION, FORWARDER].map((to) => ({ 'payload.transaction.to': addressOf('evm', to) })),
    ...[value - 1n, 2n * value].map((other) => ({ 'payload.transaction.value': other })),
  ]
  for (const change of changes) count(Object.keys(change).join(), await prove(bench.venue, swap, changed(swap.execution, change)))
  const quotes = { 'binding.refundTo': STRANGER, 'offer.fee.bps': 0, 'offer.nativeFee': swap.offer.nativeFee - 1n }
  for (const [path, other] of Object.entries(quotes)) count(path, await prove(bench.venue, altered(swap, path, other)))
  const onSolana = await swapOf(bench.venue, orders.fromSolana({ feeBps: 25 }))
  for (const other of [null, { v: 1, orderId: OTHER_ID, fixFee: '15000000' }])
    count('evidence', await prove(bench.venue, onSolana, altered(onSolana.execution, 'evidence', other)))
})

/** The swap with another call, and the id of its order. */
const rewritten = (swap: Swap, change: (words: Words) => Words): Execution => {
  const data = writeCall(change(readCall(transactionOf(swap.execution).data)))
  return altered({ ...swap.execution, ...withItsId(data, swap) }, DATA, data)
}

test.each([
  ['TAKERS', orders.usdc(), STRANGER, 42161],
  ['TAKER_SOLANA', orders.toSolana(), RECIPIENT_SOLANA, SOLANA],
] as const)(
  'proof: accepts an order restricted to a solver only when VENUE_DEBRIDGE_%s names it',
  async (name, order, taker, to) => {
    const bench = await open({ settings: WITH_FEE })
    const swap = await swapOf(bench.venue, order)
    const allowedTakerDst = bytesOf(to, taker)
    const execution = rewritten(swap, (words) => ({ ...words, order: { ...words.order, allowedTakerDst } }))
    const proofs = [{}, { [name]: taker }].map((settings) => prove(told(bench, { settings }).venue, swap, execution))
    expect(await Promise.all(proofs)).toEqual([['unread: a taker nobody knows'], []])
  },
)

test('proof: rejects a swap before an order that locks too little or another token', async () => {
  const { venue } = await open()
  const prices = pricesAt({ usd: '1', decimals: 6 }, { usd: '3950', decimals: 18 })
  const swap = await swapOf(venue, orders.arb({ to: [8453, NATIVE] }), {}, prices)
  expect(await prove(venue, swap)).toEqual([])
  const usdc = readCall(transactionOf(swap.execution).data).swap?.srcTokenOut ?? '0x'
  const least = swap.offer.bridgesLeast?.amount ?? 0n
  // Dollars, and other tokens that are worth as much, as no price was sealed of them.
  const given = [10_000n, least / 2n, least - 1n].map((give) => [usdc, give] as const)
  for (const [token, giveAmount] of [...given, [USDT_ARBITRUM, least * 10n] as const, [WETH_ARBITRUM, 1n] as const]) {
    const execution = rewritten(swap, (words) => ({
      ...words,
      order: { ...words.order, giveAmount, giveTokenAddress: token },
      swap: words.swap && { ...words.swap, srcSwapRouter: STRANGER, srcTokenOut: token, srcTokenExpectedAmountOut: giveAmount },
    }))
    expect(count(token, await prove(venue, swap, execution))).toEqual(['bridged'])
  }
  expect(await prove(venue, { ...swap, offer: altered(swap.offer, 'bridgesLeast', undefined) })).toEqual(['bridged'])
})
