import { afterAll, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { attackDeposit } from '../../support/venueKit/attackDeposit.ts'
import { atLeast, attackPayload } from '../../support/venueKit/attackPayload.ts'
import { altered, depositOf, prove, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { type Call, type Memo, readCall, readMemo, writeCall, writeMemo } from './fakeNetwork.ts'
import { openBench, orders, ROUTER_4, ROUTER_6, STRANGER, TN } from './support.ts'

const NOW = BigInt(START_OF_TIME / 1_000)
const count = countMutations('thorchain')

/** Each field of a memo in ways that its type does not suggest. */
function* otherMemos(memo: Memo): Generator<Memo> {
  const { asset, recipient, limit, fee } = memo
  const others: { readonly [field in keyof Memo]: readonly unknown[] } = {
    called: ['=<', '+', 'SWAPP', 'OUT', 'DONATE', '= '],
    asset: ['BTC.BTC', 'ETH.ETH', 'ETH.USDC', 'BASE.USDC-913', 'THOR.RUNE', 'BASE.ETH', ...(asset === 'BTC.BTC' ? [] : ['b'])],
    recipient: [STRANGER, WALLETS.solana, 'aname', ZERO_EVM_ADDRESS, recipient.slice(0, -1)],
    refundTo: [WALLETS.evmOther, 'aname', ZERO_EVM_ADDRESS],
    limit: ['', limit - limit / 100n, '1e1', `-${limit}`, '0x10'],
    // Without a quantity the network makes parts of the swap.
    parts: ['', '//', '/0/0', '/0', '/1', '/1/0', '/1/1', '/0/2', '/10/100', '/0/1/0'],
    fee: [
      ...['x:15', 'tn:16', 'tn:1000', 'tn/x:15/10', 'tn/x:15', 'tn', ':15', 'tn:0', fee.length > 0 ? '' : 'tn:15'],
      // A contract at the destination, and more parts than a memo has.
      ...[':dex:0xabc:1', '::::', ':::'].map((more) => `${fee.length > 0 ? fee.join(':') : ':'}${more}`),
      `${fee.join(':')}\n`,
    ].map((text) => text.split(':')),
  }
  for (const [field, values] of Object.entries(others)) for (const value of values) yield { ...memo, [field]: value }
}

function* otherCalls(call: Call): Generator<Call | string> {
  for (const memo of otherMemos(call.memo)) yield { ...call, memo }
  for (const vault of [ROUTER_6, ROUTER_4]) yield { ...call, vault }
  for (const asset of [USDC.ethereum, USDC.base]) yield { ...call, asset: call.asset === asset ? ZERO_EVM_ADDRESS : asset }
  for (const expiration of [NOW, NOW + 100_000n, 2n ** 64n]) yield { ...call, expiration }
  yield writeCall(call).replace('44bc937b', '1fece7b4')
}

const refundable = orders.usdc({ feeBps: 15, refundTo: STRANGER })

attackPayload({
  venue: 'thorchain',
  open: openBench,
  swaps: [
    { title: 'tokens, with a fee', order: refundable, settings: TN },
    { title: 'coins', order: orders.ether(), settings: TN },
  ],
  codec: { read: readCall, write: writeCall },
  harmless: {
    'memo.limit': atLeast,
    // Another moment of the same day.
    expiration: ({ other }) => (other as bigint) > NOW && (other as bigint) <= NOW + 86_400n,
  },
  also: otherCalls,
})

attackDeposit({
  venue: 'thorchain',
  open: openBench,
  swaps: [{ title: 'bitcoin, with a fee', order: orders.bitcoin({ feeBps: 15 }), settings: TN }],
  *also({ execution }) {
    const { memo } = execution.evidence as { readonly memo: string }
    const { amount } = depositOf(execution)
    for (const other of otherMemos(readMemo(memo))) yield ['evidence.memo', writeMemo(other)]
    // Another hundred thousand has the same reference.
    for (const other of [amount - 100_000n, amount + 100_000n]) yield ['payload.deposit.amount', other]
    yield ['payload.deposit.address', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3']
  },
})

let bench: VenueBench
afterAll(() => bench.close())

test('proof: rejects a call at another router, with evidence, or beside another minimum or refund address', async () => {
  bench = await openBench({ settings: TN })
  const swap = await swapOf(bench.venue, refundable)
  for (const [path, value] of [
    ['execution.payload.transaction.to', ROUTER_4],
    ['execution.payload.transaction.chainId', 56],
    ['execution.evidence', { v: 2, memo: 'x' }],
    ['offer.slippage.guaranteedMin', swap.offer.outputAmount],
    ['binding.refundTo', WALLETS.evmOther],
  ] as const)
    count(path, await prove(bench.venue, altered(swap, path, value)))
})
