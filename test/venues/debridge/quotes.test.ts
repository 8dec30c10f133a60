import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { FORWARDER, SOURCE } from './abi.ts'
import {
  CREATE_TX,
  FEE_RECIPIENT,
  FEE_RECIPIENT_SOLANA,
  openBench,
  orders,
  PROGRAM,
  RECIPIENT_SOLANA,
  told,
  USDC_MONAD,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)

const quoted = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const offer = await bench.venue.quote(order, never())
  return { bench, offer, asked: Object.fromEntries(bench.sent.at(-1)?.query ?? []) }
}

const ETHER = 10n ** 15n

test.each<[string, VenueOrder, object]>([
  [
    // 250 USDC less 4 bps of the protocol, 12 cents of expenses and 4 bps of the solver.
    'tokens between EVM chains, with the requested slippage',
    orders.usdc({ slippageBps: 30 }),
    {
      venue: 'debridge',
      executionType: 'TRANSACTION',
      outputAmount: 249_680_088n,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: 248_931_047n },
      gasUnits: null,
      spender: SOURCE,
      nativeFee: ETHER,
      estimatedTimeSeconds: 3,
      expiresAt: START_OF_TIME + 30_000,
      decimals: { input: 6, output: 6 },
      carry: { v: 1 },
    },
  ],
  [
    'an integrator fee, from the input',
    orders.usdc({ feeBps: 30 }),
    { outputAmount: 248_930_388n, fee: { bps: 30, amount: 749_038n } },
  ],
  ['a native coin', orders.ether(), { spender: null, nativeFee: ETHER, decimals: { input: 18, output: 18 } }],
  ['a token that is swapped before', orders.arb(), { spender: FORWARDER, nativeFee: ETHER }],
  ['into SOL', orders.toSolana(), { spender: SOURCE, decimals: { input: 6, output: 9 } }],
  ['from Solana', orders.fromSolana(), { spender: null, nativeFee: 15_000_000n, gasUnits: null }],
  ['from Monad, by its deBridge chain id', orders.usdc({ from: [143, USDC_MONAD] }), { nativeFee: 2_000n * ETHER }],
])('quote: the deBridge offer is exact: %s', async (_name, order, offer) => {
  expect((await quoted(order, { settings: WITH_FEE })).offer).toMatchObject(offer)
})

test('quote: requests internal chain ids, market orders, the exact input and only the addresses of the swap', async () => {
  const order = orders.toSolana({ feeBps: 25, refundTo: WALLETS.evmOther })
  const { asked } = await quoted(order, { settings: { ...WITH_FEE, REFERRAL_CODE: '31805' }, apiKey: 'a-key-0123456789' })
  expect(asked).toEqual({
    ...{ srcChainId: '8453', srcChainTokenIn: USDC.base, srcChainTokenInAmount: '250000000' },
    ...{ dstChainId: '7565164', dstChainTokenOut: '11111111111111111111111111111111', dstChainTokenOutAmount: 'auto' },
    ...{ senderAddress: order.sender, srcChainOrderAuthorityAddress: order.sender },
    ...{ srcChainRefundAddress: WALLETS.evmOther, srcAllowedCancelBeneficiary: WALLETS.evmOther },
    ...{ dstChainTokenOutRecipient: order.recipient, dstChainOrderAuthorityAddress: order.recipient },
    ...{ affiliateFeePercent: '0.25', affiliateFeeRecipient: FEE_RECIPIENT, prependOperatingExpenses: 'false' },
    ...{ referralCode: '31805', accesstoken: 'a-key-0123456789' },
  })
  const { asked: plain } = await quoted(orders.ether())
  for (const name of ['affiliateFeePercent', 'referralCode', 'accesstoken']) expect(plain).not.toHaveProperty(name)
  expect([plain['srcChainTokenIn'], plain['dstChainTokenOut']]).toEqual([`0x${'00'.repeat(20)}`, `0x${'00'.repeat(20)}`])
  const { asked: onSolana } = await quoted(orders.fromSolana({ feeBps: 10 }), { settings: WITH_FEE })
  expect(onSolana['affiliateFeeRecipient']).toBe(FEE_RECIPIENT_SOLANA)
})

test.each([
  ['DlnSource', orders.toSolana, SOURCE],
  ['the forwarder', (wish: object) => orders.arb({ to: [-2, USDC.solana], ...wish }), FORWARDER],
])(
  'quote: a request without recipient uses a placeholder, and its spender is the contract of execute: %s',
  async (_, of, spender) => {
    const unnamed = of({ recipient: undefined as never })
    const { asked, bench } = await quoted(unnamed)
    expect(asked['dstChainTokenOutRecipient']).toBe(unnamed.recipient)
    const swap = await swapOf(bench.venue, unnamed, { recipient: RECIPIENT_SOLANA })
    expect([swap.offer.spender, await prove(bench.venue, swap)]).toEqual([spender, []])
    const { venue } = told(bench, { changes: { [CREATE_TX]: (body: object) => altered(body, 'fixFee', undefined) } })
    expect((await venue.quote(unnamed, never())).nativeFee).toBe(ETHER)
  },
)

describe('the profile of deBridge', () => {
  test('lists its contracts, limits and maximum fee, and no sandbox', async () => {
    const { profile } = (await open()).venue
    const { '-2': solana, ...evm } = profile.contracts
    expect(solana).toEqual([PROGRAM])
    expect(evm).toEqual(
      Object.fromEntries([1, 10, 56, 137, 143, 999, 8453, 42161, 43114, 59144].map((id) => [id, [SOURCE, FORWARDER]])),
    )
    expect([profile.hasSandbox, profile.limits]).toEqual([false, { requestsPerMinute: 50, statusPerMinute: 50 }])
    expect((await open({ apiKey: 'a-key-0123456789' })).venue.profile.limits).toEqual({
      requestsPerMinute: 300,
      statusPerMinute: 300,
    })
    expect([profile.nativeFeeMax(orders.usdc()), profile.nativeFeeMax(orders.fromSolana())]).toEqual([2n * ETHER, 30_000_000n])
  })

  test.each([
    ['one chain', orders.usdc({ to: [8453, NATIVE] })],
    ['a chain without a deBridge id', orders.usdc({ to: [130, NATIVE] })],
    ['SOL as input', orders.fromSolana({ from: [-2, 'So11111111111111111111111111111111111111112'] })],
    ['Bitcoin', orders.usdc({ to: [-1, NATIVE], recipient: WALLETS.bitcoin })],
  ])('excludes %s, without a request', async (_what, order) => {
    const { venue, sent } = await open()
    expect(venue.profile.serves(order)).toBe(false)
    expect((await refusalOf(venue.quote(order, never()))).kind).toBe('unsupportedPair')
    expect(sent).toEqual([])
  })
})
