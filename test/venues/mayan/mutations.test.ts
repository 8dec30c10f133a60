import { afterAll, expect, test } from 'vitest'
import { SWIFT, SWIFT_FILLS, wordOf, ZERO_WORD } from '../../../engine/venues/mayan/protocol.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { any, atLeast, attackPayload } from '../../support/venueKit/attackPayload.ts'
import { attackSolana } from '../../support/venueKit/attackSolana.ts'
import { altered, prove, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { type Outer, readCall, writeCall } from './abi.ts'
import { openBench, orders, STRANGER, WITH_FEE } from './support.ts'

const settings = WITH_FEE
const ON_EVM = [
  { title: 'a token, with a fee', order: orders.usdc({ feeBps: 15 }), settings },
  { title: 'a token to Solana', order: orders.toSol(), settings },
  { title: 'coins that are exchanged', order: orders.pol(), settings },
  { title: 'a token that is exchanged', order: orders.arb({ feeBps: 15 }), settings },
  { title: 'coins', order: orders.ether(), settings },
]
const ON_SOLANA = [
  { title: 'a token on Solana', order: orders.fromSolana({ feeBps: 15 }), settings, instructions: 3 },
  { title: 'SOL', order: orders.sol({ feeBps: 15 }), settings, instructions: 4 },
]

const NOW = BigInt(START_OF_TIME / 1_000)
const LATEST = NOW + 6n * 3_600n

/** The least that an exchange must leave, in its six decimals; orders count the token on BSC in eight. Coins are wrapped whole. */
const leastOf = ({ inner: { order, tokenIn, amountIn } }: Outer): bigint => {
  if (/^0x0+$/.test(tokenIn)) return amountIn
  return order.destChainId === 4 ? order.minAmountOut / 100n : order.minAmountOut
}

/** What the type of a value does not suggest, by its path. */
const otherWords = (words: Outer): readonly Outer[] => {
  const contracts = ['tokenIn', 'middleToken', 'mayanProtocol'].filter((name) => name in words.call)
  const others: { readonly [path: string]: readonly unknown[] } = {
    'inner.order.destChainId': [2, 21, 44, 8453, 65_535],
    'inner.order.tokenOut': [wordOf(1, SWIFT), `0x01${'00'.repeat(31)}`],
    'inner.order.deadline': [NOW, LATEST + 1n, 2n ** 64n - 1n],
    'inner.order.referrerBps': [201, 255],
    'inner.order.random': [ZERO_WORD],
    'inner.tokenIn': [USDC.ethereum],
    ...Object.fromEntries(contracts.map((name) => [`call.${name}`, [SWIFT_FILLS, USDC.ethereum]])),
    ...('middleToken' in words.call ? { 'call.minMiddleAmount': [leastOf(words) - 1n, leastOf(words) / 10n ** 12n] } : {}),
  }
  return Object.entries(others).flatMap(([path, values]) => values.map((value) => altered(words, path, value)))
}

/** More for the recipient, another name or time within bounds, another exchange, or more that it must leave harm no party. */
attackPayload<Outer>({
  venue: 'mayan',
  open: openBench,
  swaps: ON_EVM,
  codec: { read: readCall, write: writeCall },
  harmless: {
    'inner.order.minAmountOut': atLeast,
    'inner.order.random': ({ other }) => other !== ZERO_WORD,
    'inner.order.deadline': ({ other }) => (other as bigint) > NOW && (other as bigint) <= LATEST,
    'inner.order.auctionMode': ({ other }) => [2, 3].includes(other as number),
    'inner.order.referrerAddr': ({ own }) => own.inner.order.referrerBps === 0,
    'call.swapProtocol': any,
    'call.swapData': any,
    'call.minMiddleAmount': ({ other, own }) => !/^0x0+$/.test(own.inner.tokenIn) && (other as bigint) >= leastOf(own),
  },
  also: otherWords,
})

/** The name and the shares of an order are seeds of its account, so no byte may change. */
for (const { title, instructions, ...swap } of ON_SOLANA)
  for (let at = 0; at < instructions; at += 1)
    attackSolana({
      venue: 'mayan',
      open: openBench,
      swaps: [{ ...swap, title: `${title}, instruction ${at}` }],
      at,
      isHarmless: () => false,
    })

const count = countMutations('mayan')
let bench: VenueBench
afterAll(() => bench?.close())

test.each([...ON_EVM, ...ON_SOLANA])(
  'proof: the carried cost of a refund is deducted, and another cost or refund address is rejected: $title',
  async ({ order }) => {
    bench ??= await openBench({ settings })
    const swap = await swapOf(bench.venue, order)
    expect(await prove(bench.venue, swap)).toEqual([])
    const carried = (swap.execution.carry as { readonly keeps: string }).keeps
    expect(bench.venue.profile.refundKeeps(swap)).toEqual({ amount: BigInt(carried), bps: 0 })
    for (const keeps of ['0', '1', '999999999999'])
      count(`keeps ${keeps}`, await prove(bench.venue, altered(swap, 'execution.carry.keeps', keeps)))
    count('no carry', await prove(bench.venue, altered(swap, 'execution.carry', null)))
    count('another refund address', await prove(bench.venue, altered(swap, 'binding.refundTo', STRANGER)))
  },
)
