import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { RefundKeeps } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { LEAST, NO_HASH, OTHER, OVER_MS, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, all, B, each, openScene, passes, play, removes, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const { usdcEthereum: USDC, usdtEthereum: USDT, usdcArbitrum } = TOKENS
const OWED = { state: 'expired', deliveredAmount: null, txHash: null } as const
const PAID = `input ${PAID_IN}`
const keeping = (amount: bigint, bps = 0): { readonly profile: { readonly refundKeeps: () => RefundKeeps } } => ({
  profile: { refundKeeps: () => ({ amount, bps }) },
})
const moves = (...movements: SeenTransaction['movements']) => ({ movements })
const found =
  (...amounts: readonly bigint[]) =>
  ({ a }: Scene) =>
    amounts.map((amount) => a.giveBack(amount))

describe('a refund that the venue names [refund-needs-transfer]', () => {
  scenes('refund', { kind: 'DEPOSIT' })({
    'reports refunded when the input came back to the refund address': [
      [
        A.refunds(),
        {
          state: 'refunded',
          txHash: hashOf(2),
          venueStatus: 'TOY_REFUNDED',
          deliveredAmount: null,
          rows: `${PAID}, refund ${PAID_IN}`,
          kept: { status: { state: 'refunded' }, endedAt: START_AT },
        },
      ],
    ],
    'is owed for another amount, token, recipient or chain, and a failed, old or missing transaction [refund-owed-is-expired]': [
      [
        ...[
          A.refunds(1n),
          A.refunds(0n),
          A.refunds(PAID_IN - 1n),
          A.refunds(0n, moves(movement(USDT, WALLETS.evm, PAID_IN))),
          A.refunds(0n, moves(movement(nativeAsset(1), WALLETS.evm, PAID_IN))),
          A.refunds(0n, moves(movement(USDC, OTHER, PAID_IN))),
          A.refunds(PAID_IN, { chainId: 10 }),
          A.refunds(PAID_IN, { isSuccess: false }),
          A.refunds(PAID_IN, { at: START_AT - 6 * MINUTE_MS }),
          ({ a }: Scene) => a.says('refunded', NO_HASH),
        ].map((claim): Story => [claim, { ...OWED, venueStatus: 'TOY_REFUNDED', rows: PAID, kept: { endedAt: null } }]),
      ],
      [
        ...(['refunded', 'failed', 'expired'] as const).map(
          (state): Story => [A.says(state), { ...OWED, venueStatus: `TOY_${state.toUpperCase()}` }],
        ),
      ],
    ],
    'is owed until the transaction is confirmed [status-expired-continues]': [
      [A.refunds(PAID_IN, { standing: 'fresh' }), OWED, A.giveBack(PAID_IN, { hash: hashOf(2) }), 'refunded'],
    ],
    'covers everything that was paid to the address': [
      [A.pay(300_000n, { height: 1_001 }), A.says('processing'), 'processing'],
      [A.refunds(1_300_000n), { state: 'refunded', txHash: hashOf(3) }],
    ],
    'is found although the venue names another transaction': [
      [found(PAID_IN), A.refunds(1n), { state: 'refunded', txHash: hashOf(2) }],
    ],
  })

  it.each([
    [keeping(5n), PAID_IN - 5n],
    [keeping(0n, 30), PAID_IN - 3_000n],
    [keeping(5n, 30), PAID_IN - 3_005n],
    [keeping(PAID_IN), 1n],
  ])('refund: may be smaller by the deduction of the venue alone: %o [refund-deductions-bounded]', async (given, least) => {
    await play(await openScene({ kind: 'DEPOSIT', ...given }), [
      ...(least > 1n ? [[A.refunds(least - 1n), OWED] as const] : []),
      [A.refunds(least), 'refunded'],
    ])
  })

  it.each([
    [300_000n, [299_999n, 300_000n]],
    [3n * PAID_IN, [PAID_IN, 3n * PAID_IN]],
  ])('refund: is compared with what was paid: %d', async (paid, [less, all]) => {
    const scene = await openScene({ kind: 'DEPOSIT', isUnpaid: true })
    scene.a.pay(paid)
    await play(scene, [
      [A.refunds(less), OWED],
      [A.refunds(all), 'refunded'],
    ])
  })

  it('refund: is in the token that the venue took', async () => {
    const inputs = async () => [{ place: 'log:1', orderId: null, took: { token: USDT.address, amount: 700n } }]
    const events = { inputs, outputs: async () => null, refunds: async () => null, named: async () => [] }
    await play(await openScene({ kind: 'TRANSACTION', events }), [
      [A.refunds(), OWED],
      [A.refunds(0n, moves(movement(USDT, WALLETS.evm, 700n))), 'refunded'],
    ])
  })

  const transfers =
    (count: number) =>
    ({ a, says }: Scene) => {
      const movements = Array.from({ length: count }, (_none, at) => movement(USDC, WALLETS.evm, PAID_IN, { place: `log:${at}` }))
      says('refunded', { txHash: a.giveBack(0n, { movements }) })
    }
  scenes('refund', { kind: 'DEPOSIT', orders: [{}, {}] })({
    'one transfer refunds one of two swaps, and two transfers both [refund-one-each]': [
      [transfers(1), all('refunded', 'expired'), transfers(2), all('refunded', 'refunded')],
    ],
    'one that the venue named for another swap goes to the swap that the venue names at last': [
      [A.says('refunded', B.giveBack()), B.says('refunded', hashOf(3)), all('refunded', 'expired')],
      [A.says('expired'), passes(), all(null, { state: 'refunded', txHash: hashOf(3) })],
      [all('expired', { state: 'refunded', txHash: hashOf(3) }), 'expired'],
    ],
  })
})

describe('a payment that is no refund [refund-not-other-payment]', () => {
  scenes('refund', { kind: 'DEPOSIT', ...keeping(5n) })(
    each([1n, PAID_IN], (more) => [
      `a payment of ${more} above the input is none, whether the venue names it or a search finds it`,
      [
        [A.refunds(PAID_IN + more), OWED, passes(), A.says('refunded'), { ...OWED, rows: PAID }],
        [A.refunds(PAID_IN - 5n), { state: 'refunded', txHash: hashOf(3) }],
      ],
    ]),
  )
  const earlier = (height: number): Story => [
    [A.refunds(PAID_IN, { height }), OWED, passes(), A.says('refunded'), OWED],
    [A.giveBack(PAID_IN, { height: 1_001, hash: hashOf(2) }), passes(3_600_000), 'refunded'],
  ]
  scenes('refund', { kind: 'DEPOSIT' })({
    'a payment in an earlier block than the input is none': earlier(999),
    'a payment in the block of the input is none': earlier(1_000),
    'a payment that came before the swap is none': [[A.giveBack(PAID_IN, { at: START_AT - 1 }), A.says('failed'), OWED]],
    'payments that are only together too much are none': [
      [found(700_000n, 600_000n, 350_000n), A.says('failed'), { ...OWED, rows: PAID }],
    ],
    'the time of the block decides once the node has forgotten the input': [
      [A.pay(PAID_IN, { hash: hashOf(1), standing: 'final' }), A.says('processing'), 'processing', removes(1)],
      [A.refunds(PAID_IN, { at: START_AT }), OWED, A.refunds(PAID_IN, { at: START_AT + 1 }), 'refunded'],
    ],
    'a small payment is none while dust that strangers sent later is read, and all of it is owed': [
      [({ a }) => Array.from({ length: 30 }, (_none, at) => a.pay(1n, { height: 1_001 + at })), found(31n)],
      [A.says('refunded')],
      [
        ...Array.from(
          { length: 10 },
          (): Story => [
            async ({ a, pass }) => {
              pass(MINUTE_MS)
              expect(['processing', 'pending', 'expired']).toContain((await a.told()).state)
            },
          ],
        ),
      ],
      [found(PAID_IN + 30n), passes(3_600_000), { state: 'refunded', txHash: hashOf(33) }],
    ],
  })
  const call = { from: OTHER, to: TOY_CONTRACT, data: '0x', value: 0n } as const
  const refunds = async (seen: SeenTransaction) => (seen.call?.data === '0x' ? seen.movements : [])
  scenes('refund', { kind: 'TRANSACTION', events: { ...TOY_EVENTS, refunds }, isUnpaid: true })(
    each([[2n * PAID_IN], [PAID_IN + 1n], [400_000n, 600_000n]], (others) => [
      `what a contract that names no order returned for other deposits is none: ${others}`,
      [
        [A.pay(PAID_IN, { logs: [log(0, 'paid', 'o1', PAID_IN)] })],
        [({ a }) => others.map((amount) => a.giveBack(amount, { call })), A.says('expired'), OWED],
        [A.giveBack(PAID_IN, { call }), passes(), { state: 'refunded', txHash: hashOf(others.length + 2) }],
      ],
    ]),
  )
})

describe('a refund that the venue does not name [refund-found-unnamed]', () => {
  scenes('refund', { kind: 'DEPOSIT' })({
    'is found on the chain': [found(PAID_IN), A.says('failed'), { state: 'refunded', rows: 'input, refund' }],
    'is found in two parts': [
      [found(400_000n, 600_000n), A.says('failed'), { state: 'refunded', rows: `${PAID}, refund 600000, refund 400000` }],
    ],
  })
  scenes('refund', { kind: 'DEPOSIT', ...keeping(100_000n), orders: [{}, { amount: 950_000n }] })({
    'is the payment nearest to the input, so that each of two swaps has its own': [
      [found(945_000n, 960_000n), ({ says }) => says('failed'), { state: 'refunded', rows: `${PAID}, refund 960000` }],
      [all(null, { state: 'refunded', rows: 'input 950000, refund 945000' })],
    ],
  })

  it.each([
    [0, true],
    [1, true],
    [0, false],
    [1, false],
  ])(
    'refund: each of two similar ones goes to its swap; swap %d asks first; the venue reports amounts: %s',
    async (first, isTold) => {
      const scene = await openScene({ kind: 'DEPOSIT', ...keeping(200n), orders: [{}, { amount: PAID_IN - 100n }] })
      const { a, b, pass } = scene
      const due = [
        [a, PAID_IN - 200n],
        [b, PAID_IN - 300n],
      ] as const
      for (const [swap, amount] of due) {
        swap.giveBack(amount, isTold ? {} : { at: START_AT + 30_000 })
        swap.says('refunded', isTold ? { refundedAmount: toAmount(amount) } : {})
      }
      for (let round = 0; round < (isTold ? 1 : 3); round += 1) {
        for (const [swap] of first === 0 ? due : due.toReversed()) await swap.told()
        pass(MINUTE_MS)
      }
      for (const [swap, amount] of due)
        expect([(await swap.told()).state, await swap.rows()]).toEqual([
          'refunded',
          expect.stringContaining(`, refund ${amount}`),
        ])
    },
  )

  it('refund: is searched for with growing pauses up to an hour, and 20 seconds after an unreadable chain', async () => {
    const { a, chain, pass } = await openScene({ kind: 'DEPOSIT' })
    a.says('expired')
    const searches = () => chain.reads.filter(({ method, of }) => method === 'search' && of === WALLETS.evm).length
    const later = async (ms: number, asks = 3): Promise<number> => {
      pass(ms)
      for (let i = 0; i < asks; i += 1) await a.told()
      return searches()
    }
    for (const [ms, count] of [
      [0, 1],
      [29_999, 1],
      [1, 2],
      [59_999, 2],
      [1, 3],
    ] as const)
      expect(await later(ms)).toBe(count)
    for (let half = 0; half < 48; half += 1) await later(1_800_000, 1)
    expect(searches()).toBeGreaterThan(23)
    expect(searches()).toBeLessThan(35)
    chain.isUnreadable = ({ method }) => method === 'search'
    const failed = await later(3_600_000, 1)
    expect(await later(20_000, 1)).toBe(failed + 1)
  })

  const coins = (to: Address) => moves(movement(nativeAsset(1), to, PAID_IN, { place: 'value' }))
  scenes('refund', { kind: 'DEPOSIT', orders: [{ from: pair(nativeAsset(1)) }], isUnpaid: true })({
    'is found in coins among the transactions that the venue lists': [
      [({ a }) => a.says('refunded', { paidBy: [a.pay(PAID_IN, coins(a.ref as Address))] }), OWED],
      [
        ({ a }) => a.says('refunded', { paidBy: [hashOf(1), a.giveBack(PAID_IN, coins(WALLETS.evm))] }),
        { state: 'refunded', txHash: hashOf(2) },
      ],
    ],
  })
  scenes('refund', { kind: 'DEPOSIT', isUnpaid: true })({
    'one that appears after failed changes the status to refunded, and the first end keeps its time [refund-after-failed]': [
      [passes(OVER_MS + 1), { state: 'failed', kept: { endedAt: START_AT + OVER_MS + 1 } }, A.pay(), A.refunds()],
      [
        passes(),
        { state: 'refunded', txHash: hashOf(2), kept: { status: { state: 'refunded' }, endedAt: START_AT + OVER_MS + 1 } },
      ],
    ],
  })
})

describe('a refund on the other chain, in the bought token', () => {
  /** Paid to a venue whose payload permits a refund to this account. */
  const open = async (recipient: Address | null) => {
    const scene = await openScene({ kind: 'TRANSACTION', events: TOY_EVENTS, orders: [] })
    if (recipient)
      scene.venue.script.decode = async (honest) => ({ ...honest, refundsElsewhere: [{ asset: usdcArbitrum, recipient }] })
    const swap = await scene.add()
    swap.pay(PAID_IN, { hash: hashOf(1), logs: [log(0, 'paid', 'o1', PAID_IN)] })
    return scene
  }
  let last = 900
  const returned = (
    amount: bigint,
    { orderId = 'o1', ...wish }: Partial<SeenTransaction> & { readonly orderId?: string } = {},
  ) => {
    last += 1
    return seenTransaction({ chainId: 42161, hash: hashOf(last), logs: [log(0, 'returned', orderId, amount)], ...wish })
  }
  const names =
    (seen: SeenTransaction) =>
    ({ a, chain }: Scene) => {
      chain.put(seen)
      a.says('refunded', seen.hash)
    }
  const wrong = [returned(1n), returned(LEAST - 1n), returned(LEAST, { orderId: 'o2' }), returned(LEAST, { isSuccess: false })]
  const early = returned(LEAST, { at: START_AT - 6 * MINUTE_MS })
  const others = [...wrong, returned(LEAST, { chainId: 10 }), early, returned(LEAST, { standing: 'fresh' })]
  const gift = seenTransaction({ chainId: 42161, hash: hashOf(950), movements: [movement(usdcArbitrum, OTHER, LEAST)] })
  const [whole, listed] = [returned(LEAST), returned(LEAST, moves(movement(usdcArbitrum, OTHER, LEAST)))]
  it.each<readonly [string, Address | null, Story]>([
    [
      'counts for the guaranteed amount when payload and event name it',
      OTHER,
      [
        ...others.map((seen): Story => [names(seen), OWED]),
        [
          names(whole),
          {
            state: 'refunded',
            txHash: whole.hash,
            deliveredAmount: null,
            payments: [{}, { kind: 'refund', chainId: 42161, recipient: OTHER, amount: LEAST }],
          },
        ],
      ],
    ],
    ['is none when the payload names no account there', null, [[names(whole), OWED]]],
    ['is none when no event names the order', OTHER, [[names(gift), OWED]]],
    [
      'is found when the venue names none',
      OTHER,
      [[({ chain }) => chain.put(listed)], [A.says('refunded'), { state: 'refunded', txHash: listed.hash }]],
    ],
    ...(['refunded', 'failed', 'expired'] as const).map(
      (state) =>
        [
          `is the delivery when the recipient receives it, although the venue reports ${state}`,
          WALLETS.evm,
          [
            [A.says(state), OWED],
            [passes()],
            [
              ({ a }: Scene) => a.deliver(LEAST, { logs: [log(0, 'filled', 'o1', LEAST)] }),
              { state: 'success', deliveredAmount: LEAST, rows: 'input, output' },
            ],
          ],
        ] as readonly [string, Address, Story],
    ),
  ])('refund: one in the bought token %s', async (_what, recipient, steps) => play(await open(recipient), steps))
})

describe('a refund beside a delivery [refund-partial-fill]', () => {
  const beside =
    (amount: bigint, back: bigint | string | null, wish: Partial<SeenTransaction> = {}, of: 'a' | 'b' = 'a') =>
    (scene: Scene) => {
      const swap: Swap = scene[of]
      swap.says('success', {
        txHash: amount === 0n ? NO_HASH : swap.deliver(amount),
        refundTx: typeof back === 'bigint' ? swap.giveBack(back, wish) : back,
      })
    }
  const HALF = PAID_IN / 2n
  const least = (LEAST * (PAID_IN - 333_333n)) / PAID_IN + 1n
  scenes('partial fill', { kind: 'DEPOSIT' })({
    'is a success with the real amount, in proportion to what was not refunded': [
      [
        beside(LEAST / 2n, HALF),
        { state: 'success', txHash: hashOf(2), deliveredAmount: LEAST / 2n, rows: 'input, output, refund' },
      ],
    ],
    'stays open when the rest is not delivered in full, or the refund is missing or unconfirmed': [
      [beside(LEAST / 2n - 1n, HALF), 'processing', beside(LEAST / 2n, null), 'processing'],
      [beside(LEAST / 2n, NO_HASH), 'processing'],
      [beside(LEAST / 2n, HALF, { standing: 'fresh' }), { state: 'processing', rows: PAID }],
    ],
    'rounds the least delivery up': [[beside(least - 1n, 333_333n), 'processing', beside(least, 333_333n), 'success']],
    'is refunded when all came back and nothing was delivered': [[beside(0n, PAID_IN), { state: 'refunded', txHash: hashOf(2) }]],
  })
  scenes('partial fill', { kind: 'DEPOSIT', orders: [{}, {}] })({
    'one refund lowers the least delivery of one swap': [
      [beside(LEAST / 2n, HALF), 'success', beside(LEAST / 2n, hashOf(4), {}, 'b'), all('success', 'processing')],
    ],
  })
})
