import { afterEach, expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { depositCall, readDepositCall } from '../../../engine/venues/thorchain/router.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { BITCOIN_VAULT, openBench, orders, ROUTER_4, ROUTER_6, STRANGER } from './support.ts'

let bench: VenueBench
afterEach(() => bench?.close())
const count = countMutations('thorchain')

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: { AFFILIATE: 'tn' } })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const refuses = async (swap: Swap, path: string, value: unknown): Promise<readonly string[]> =>
  count(`${path} = ${value}`, await prove(bench.venue, swap, alteredBy(swap.execution, [[path, value]])))
const refusesData = (swap: Swap, data: string) => refuses(swap, 'payload.transaction.data', data)

const KINDS = [
  ['tokens, with a fee', orders.usdc({ feeBps: 15, refundTo: STRANGER })],
  ['coins', orders.ether()],
] as const

/** Each field of a memo in each way that would be somebody's gain. */
const otherMemos = (memo: string): readonly string[] => {
  const [called = '', asset = '', to = '', limits = '', ...fee] = memo.split(':')
  const [limit = ''] = limits.split('/')
  const [recipient = '', refundTo] = to.split('/')
  const rest = fee.length > 0 ? `:${fee.join(':')}` : ''
  const back = refundTo === undefined ? '' : `/${refundTo}`
  const least = BigInt(limit)
  return [
    ...['=<', '+', 'SWAPP', 'OUT', 'DONATE', ''].map((name) => `${name}:${asset}:${to}:${limits}${rest}`),
    ...['BTC.BTC', 'ETH.ETH', 'b', 'ETH.USDC', 'BASE.USDC-913', 'THOR.RUNE', 'BASE.ETH', '']
      .filter((name) => name !== asset && !(name === 'b' && asset === 'BTC.BTC'))
      .map((name) => `=:${name}:${to}:${limits}${rest}`),
    ...[STRANGER, WALLETS.solana, 'aname', '', ZERO_EVM_ADDRESS, recipient.slice(0, -1)].map(
      (who) => `=:${asset}:${who}${back}:${limits}${rest}`,
    ),
    ...[STRANGER === refundTo ? WALLETS.evmOther : STRANGER, 'aname', ZERO_EVM_ADDRESS, ''].map(
      (who) => `=:${asset}:${recipient}/${who}:${limits}${rest}`,
    ),
    ...['', '0', '1', `${least / 2n}`, `${least - least / 100n}`, `${least / 10n}`, '1e1', `-${limit}`, '0x10'].map(
      (text) => `=:${asset}:${to}:${text}/0/1${rest}`,
    ),
    // Without a quantity the network makes parts of the swap.
    ...['', '//', '/0/0', '/0', '/1', '/1/0', '/1/1', '/0/2', '/10/100', '/0/1/0'].map(
      (parts) => `=:${asset}:${to}:${limit}${parts}${rest}`,
    ),
    ...[':x:15', ':tn:16', ':tn:1000', ':tn/x:15/10', ':tn/x:15', ':tn', '::15', ':tn:0', fee.length > 0 ? '' : ':tn:15'].map(
      (text) => `=:${asset}:${to}:${limits}${text}`,
    ),
    ...[':dex:0xabc:1', '::::', ':::'].map((text) => `${memo}${fee.length > 0 ? '' : '::'}${text}`),
    `${called} :${asset}:${to}:${limits}${rest}`,
    `${memo}\n`,
  ]
}

test.each(KINDS)('proof: rejects any altered argument of the call and field of its memo: %s', async (_kind, order) => {
  const swap = await open(order)
  const call = await readDepositCall(transactionOf(swap.execution).data)
  if (call === null) throw new TypeError('no call')
  const words: { readonly [word: string]: readonly unknown[] } = {
    vault: [STRANGER, ZERO_EVM_ADDRESS, WALLETS.evm, ROUTER_6, ROUTER_4],
    asset: [STRANGER, USDC.ethereum, call.asset === ZERO_EVM_ADDRESS ? USDC.base : ZERO_EVM_ADDRESS],
    amount: [0n, 1n, call.amount - 1n, call.amount + 1n, call.amount * 10n, 2n ** 256n - 1n],
    memo: otherMemos(call.memo),
    expiration: [0n, 1n, BigInt(START_OF_TIME / 1_000), call.expiration + 86_400n, 2n ** 64n, 2n ** 256n - 1n],
  }
  for (const [word, values] of Object.entries(words))
    for (const value of values) await refusesData(swap, await depositCall({ ...call, [word]: value }))
})

/** Another deadline within the day, and letters of an address or a name in another case, are nobody's loss; so is a higher limit. */
const isHarmless = async (other: string, own: string): Promise<boolean> => {
  const [a, b] = [await readDepositCall(other), await readDepositCall(own)]
  if (a === null || b === null) return false
  const limitOf = (memo: string) => /^(\d+)\/0\/1$/.exec(memo.split(':')[3] ?? '')?.[1] ?? ''
  const plain = (memo: string) => {
    const [called = '', asset = '', to = '', , ...rest] = memo.split(':')
    return [called === '=' || called === 's', asset, to, ...rest].join(':').toLowerCase()
  }
  const isMore = limitOf(a.memo) !== '' && BigInt(limitOf(a.memo)) >= BigInt(limitOf(b.memo))
  const isOfToday = a.expiration > BigInt(START_OF_TIME / 1_000) && a.expiration <= BigInt(START_OF_TIME / 1_000 + 86_400)
  return (
    a.vault === b.vault && a.asset === b.asset && a.amount === b.amount && plain(a.memo) === plain(b.memo) && isMore && isOfToday
  )
}

test.each(KINDS)('proof: rejects any altered byte of the calldata: %s', async (_kind, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const others = flips(Buffer.from(data.slice(2), 'hex')).map((flipped) => `0x${Buffer.from(flipped).toString('hex')}`)
  let harmful = 0
  for (const other of others) {
    if (await isHarmless(other, data)) continue
    harmful += 1
    await refusesData(swap, other)
  }
  expect(harmful).toBeGreaterThan((others.length * 8) / 10)
  for (const other of [
    `${data}00`,
    data.slice(0, -2),
    data.slice(0, -1),
    '0x',
    data.slice(0, 10),
    data.replace('44bc937b', '1fece7b4'),
  ])
    await refusesData(swap, other)
})

test.each(KINDS)('proof: rejects another transaction or quote: %s', async (_kind, order) => {
  const swap = await open(order)
  const { data, value } = transactionOf(swap.execution)
  for (const to of [STRANGER, ROUTER_4, ROUTER_6, WALLETS.evm].filter((one) => one !== transactionOf(swap.execution).to))
    await refuses(swap, 'payload.transaction.to', to)
  for (const other of [value + 1n, value === 0n ? 10n ** 18n : 0n]) await refuses(swap, 'payload.transaction.value', other)
  for (const chainId of [10, 56]) await refuses(swap, 'payload.transaction.chainId', chainId)
  await refuses(swap, 'payload.transaction.serialized', data)
  await refuses(swap, 'payload', { executionType: 'DEPOSIT', deposit: { chainId: -1, address: BITCOIN_VAULT, amount: 1n } })
  await refuses(swap, 'evidence', { v: 2, memo: 'x' })
  const { offer, binding } = swap
  const { slippage } = offer
  for (const other of [
    { ...offer, fee: { bps: offer.fee.bps + 1, amount: offer.fee.amount } },
    { ...offer, slippage: slippage && { ...slippage, guaranteedMin: offer.outputAmount } },
    { ...offer, spender: STRANGER },
  ])
    count('another quote', await prove(bench.venue, { ...swap, offer: other as typeof offer }))
  for (const other of [{ recipient: STRANGER }, { refundTo: WALLETS.evmOther }])
    count('another binding', await prove(bench.venue, { ...swap, binding: { ...binding, ...other } as typeof binding }))
})

test('proof: rejects a deposit with another address, amount or registered memo', async () => {
  const swap = await open(orders.bitcoin({ feeBps: 15 }))
  const { payload, evidence } = swap.execution
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  const { amount } = payload.deposit
  for (const address of [WALLETS.bitcoin, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', STRANGER])
    await refuses(swap, 'payload.deposit.address', address)
  for (const other of [0n, 1n, amount - 1n, amount + 1n, amount - 100_000n, amount + 100_000n, amount * 10n])
    await refuses(swap, 'payload.deposit.amount', other)
  for (const chainId of [1, -2]) await refuses(swap, 'payload.deposit.chainId', chainId)
  const { memo } = evidence as { readonly memo: string }
  for (const other of otherMemos(memo)) await refuses(swap, 'evidence.memo', other)
  await refuses(swap, 'evidence', null)
  await refuses(swap, 'evidence', { v: 1, memo, more: true })
  count('another recipient', await prove(bench.venue, { ...swap, binding: { ...swap.binding, recipient: STRANGER } }))
  count('another deadline', await prove(bench.venue, swap, swap.execution, START_OF_TIME + 6 * 3_600_000))
})
