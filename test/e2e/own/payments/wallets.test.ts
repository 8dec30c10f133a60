import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldBy } from '../../../../scripts/client/balances.ts'
import { fund, statusOf } from '../../../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { COINS_OF, dollars, USDC_ON, whole } from '../../sides.ts'
import { createPayers, type PayerKind } from './payers.ts'
import { expectSuccess, isNative, openSwap, type Route, watchDelivery } from './routes.ts'

/** Payments inside the transactions of others, on a chain: the engine's tables and the venues' events prove the judgement. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('relay', 'cow', 'kyberswap'))
})
afterAll(() => service.close())

const KINDS: readonly PayerKind[] = ['a contract wallet', 'an operation of a bundle', 'an account of EIP-7702']
const ROUTES: readonly (readonly [title: string, Route])[] = [
  ['USDC by Relay', { venue: 'relay', from: dollars(USDC_ON.base), to: USDC_ON.arbitrum, stepMs: 2_000 }],
  ['ether by Relay', { venue: 'relay', from: whole(COINS_OF.base), to: USDC_ON.arbitrum, stepMs: 2_000 }],
  ["ether by CoW's EthFlow", { venue: 'cow', from: whole(COINS_OF.ethereum), to: USDC_ON.ethereum, stepMs: 6_000 }],
  ['USDC by KyberSwap to ether', { venue: 'kyberswap', from: dollars(USDC_ON.base), to: COINS_OF.base, stepMs: 1_000 }],
]

describe.each(ROUTES)('%s', (_title, route) => {
  const { chainId, token, amount } = route.from
  const payers = () => createPayers(service, chainId)
  const held = (owner: string) => heldBy(service, { chainId, token, owner })
  const stateOf = async (quoteToken: string, ref: string) => (await statusOf(service, { quoteToken, ref })).status

  it.each(KINDS)('paid by %s is a success, to the unit', async (kind) => {
    const payer = await payers().newPayer(kind)
    const swap = await openSwap(service, route, { payer })
    const [before, changes] = [await held(payer.address), await watchDelivery(service, route, swap.recipient)]
    const { ref, cost } = await payer.pay(swap.calls)
    expect(before - (await held(payer.address))).toBe(BigInt(amount) + (isNative(route) ? cost : 0n))
    const delivered = await expectSuccess(service, route, { ...swap, ref })
    expect(delivered).toBeGreaterThanOrEqual(BigInt(swap.offer.slippage?.guaranteedMin ?? -1))
    expect(await changes()).toEqual({ delivered })
  })

  it("paid in one bundle with a stranger's swap: each succeeds by its own payment, and a third is not found", async () => {
    const newPayer = () => payers().newPayer('a contract wallet')
    const [mine, stranger, third] = [await newPayer(), await newPayer(), await newPayer()]
    const own = await openSwap(service, route, { payer: mine })
    const other = await openSwap(service, route, { payer: stranger })
    const unpaid = await openSwap(service, route, { payer: third, recipient: own.recipient })
    const changes = await Promise.all([own, other].map(({ recipient }) => watchDelivery(service, route, recipient)))
    const ref = await payers().bundle([
      { sender: stranger.address, calls: other.calls },
      { sender: mine.address, calls: own.calls },
    ])
    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
    for (const [at, swap] of [own, other].entries()) {
      const delivered = await expectSuccess(service, route, { ...swap, ref })
      expect(await changes[at]?.()).toEqual({ delivered })
    }
    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
  })

  it('whose call fails inside a successful transaction is failed, the same payload paid later succeeds once, and a third payment is extra', async () => {
    const payer = await payers().newPayer('a contract wallet')
    const { quoteToken, calls } = await openSwap(service, route, { payer })
    const before = await held(payer.address)
    // Without coins, or without an allowance.
    if (isNative(route)) await payers().empty(payer.address)
    const { ref: failed } = await payer.pay(calls.slice(-1))
    if (isNative(route)) await fund(service, chainId, payer.address, { [token]: before.toString() })
    expect(await held(payer.address)).toBe(before)
    await payers().bury()
    expect(await stateOf(quoteToken, failed)).toBe('failed')
    const { ref } = await payer.pay(calls)
    await expectSuccess(service, route, { quoteToken, ref })
    await fund(service, chainId, payer.address, { [token]: amount })
    const again = await payer.pay(calls)
    await payers().bury()
    expect(await statusOf(service, { quoteToken, ref: again.ref })).toMatchObject(
      // Its contract accepts no order twice.
      route.venue === 'cow'
        ? { status: 'failed' }
        : { status: 'processing', payments: [{ txHash: ref }, {}, { kind: 'extra', txHash: again.ref }] },
    )
    expect([await stateOf(quoteToken, failed), await stateOf(quoteToken, ref)]).toEqual(['failed', 'success'])
  })
})
