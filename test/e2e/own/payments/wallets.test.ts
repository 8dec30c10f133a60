import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldBy } from '../../../../scripts/client/balances.ts'
import { fund, statusOf } from '../../../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { createPayers, newAddress, type PayerKind } from './payers.ts'
import { BY_TRANSACTIONS, bury, callsOf, expectSuccess, isNative, openSwap, ROUTES, watchDelivery } from './routes.ts'

/** A payment is recognised whatever wallet makes it, and is one swap's alone. */

let service: TestService
beforeAll(async () => {
  service = await startService({
    ...only('relay', 'across', 'cow', 'bebop', 'kyberswap', 'lifi', 'zerox', 'debridge', 'mayan', 'chainflip'),
    ...BY_TRANSACTIONS,
  })
})
afterAll(() => service.close())

const KINDS: readonly PayerKind[] = ['an account of a key', 'a Safe', 'an account of ERC-4337', 'an account of EIP-7702']

describe.each(ROUTES)('$title', (route) => {
  const { chainId, token, amount } = route.from
  const payers = () => createPayers(service, chainId)
  const held = (owner: string) => heldBy(service, { chainId, token, owner })

  it.each(KINDS)('paid by %s is a success, to the unit', async (kind) => {
    const payer = await payers().newPayer(kind)
    const swap = await openSwap(service, route, { payer })
    const [before, changes] = [await held(payer.address), await watchDelivery(service, route, swap.recipient)]
    const { ref, cost } = await payer.pay(callsOf(swap))
    expect(before - (await held(payer.address))).toBe(BigInt(amount) + (isNative(route) ? cost : 0n))
    const { delivered } = await expectSuccess(service, route, { ...swap, ref })
    expect(delivered).toBeGreaterThanOrEqual(BigInt(swap.offer.slippage?.guaranteedMin ?? -1))
    expect(await changes()).toEqual({ delivered })
  })

  if (route.isOnePerTransaction !== true) {
    it("in one bundle with a stranger's: each is its own, and neither quote is found by a third", async () => {
      const [mine, stranger, third] = [
        await payers().newPayer('an account of ERC-4337'),
        await payers().newPayer('an account of ERC-4337'),
        await payers().newPayer('an account of ERC-4337'),
      ]
      const own = await openSwap(service, route, { payer: mine })
      const other = await openSwap(service, route, { payer: stranger })
      const unpaid = await openSwap(service, route, { payer: third, recipient: own.recipient })
      const [changes, otherChanges] = [
        await watchDelivery(service, route, own.recipient),
        await watchDelivery(service, route, other.recipient),
      ]
      const ref = await payers().bundle([
        { sender: stranger.address, calls: callsOf(other) },
        { sender: mine.address, calls: callsOf(own) },
      ])
      expect((await statusOf(service, { ...unpaid, ref })).status).toBe('not_found')
      const { delivered } = await expectSuccess(service, route, { ...own, ref })
      const { delivered: theirs } = await expectSuccess(service, route, { ...other, ref })
      expect([await changes(), await otherChanges()]).toEqual([{ delivered }, { delivered: theirs }])
      expect((await statusOf(service, { ...unpaid, ref })).status).toBe('not_found')
    })

    it('twice in one transaction: two swaps of one recipient and amount, with a payment and a delivery each', async () => {
      const payer = await payers().newPayer('an account of ERC-4337')
      const first = await openSwap(service, route, { payer })
      const second = await openSwap(service, route, { payer, recipient: first.recipient })
      const [before, changes] = [await held(payer.address), await watchDelivery(service, route, first.recipient)]
      const ref = await payers().bundle([{ sender: payer.address, calls: [...callsOf(first), ...callsOf(second)] }])
      expect(before - (await held(payer.address))).toBe(2n * BigInt(amount))
      const ends = [
        await expectSuccess(service, route, { ...first, ref }),
        await expectSuccess(service, route, { ...second, ref }),
      ]
      expect(await changes()).toEqual({ delivered: ends.reduce((sum, { delivered }) => sum + delivered, 0n) })
    })
  }

  it.each(['a Safe', 'an account of ERC-4337'] as const)(
    'whose call failed inside a transaction of %s that did not has failed, and the same payload paid later is a success',
    async (kind) => {
      const payer = await payers().newPayer(kind)
      const swap = await openSwap(service, route, { payer })
      const before = await held(payer.address)
      // Coins are lacking, or nobody has allowed the tokens to be taken.
      if (isNative(route)) await payers().empty(payer.address)
      const { ref } = await payer.pay([swap.payment])
      if (isNative(route)) await fund(service, chainId, payer.address, { [token]: before.toString() })
      expect(await held(payer.address)).toBe(before)
      await bury(service, chainId)
      expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
      const good = await payer.pay(callsOf(swap))
      await expectSuccess(service, route, { ...swap, ref: good.ref })
      expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
    },
  )

  // What tokens leave one wallet is told; which of two equal calls of one wallet took them is not, nor whose coins were wrapped.
  const nameless = isNative(route) ? [] : (['a stranger'] as const)
  const others = route.isNameless ? nameless : (['the same account', 'a stranger'] as const)
  it.each(others)('whose call failed in a bundle has failed, whatever equal swap %s paid in it', async (whose) => {
    const payer = await payers().newPayer('an account of ERC-4337')
    const other = whose === 'a stranger' ? await payers().newPayer('an account of ERC-4337') : payer
    const swap = await openSwap(service, route, { payer })
    const equal = await openSwap(service, route, { payer: other, recipient: swap.recipient })
    const changes = await watchDelivery(service, route, swap.recipient)
    const before = await held(payer.address)
    // More than there is, so that the payment reverts where it would have been made; the batch with it.
    const lacking = { to: newAddress(), value: parseEther('1000000').toString(), data: '0x' }
    const ref = await payers().bundle([
      { sender: payer.address, calls: [...callsOf(swap), lacking] },
      { sender: other.address, calls: callsOf(equal) },
    ])
    await bury(service, chainId)
    expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
    const { delivered } = await expectSuccess(service, route, { ...equal, ref })
    expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
    expect(before - (await held(payer.address))).toBe(other === payer ? BigInt(amount) : 0n)
    expect(await changes()).toEqual({ delivered })
  })

  /** EthFlow takes no order twice, nor does Swift, nor do makers and their router, nor DlnSource of one maker. */
  const isTakenOnce = ['cow', 'bebop', 'debridge', 'mayan'].includes(route.venue)

  it('paid twice by the same payload ends once: the other payment is told of as extra', async () => {
    const payer = await payers().newPayer('a Safe')
    const swap = await openSwap(service, route, { payer })
    const { ref } = await payer.pay(callsOf(swap))
    await fund(service, chainId, payer.address, { [token]: amount })
    await expectSuccess(service, route, { ...swap, ref })
    const again = await payer.pay(callsOf(swap))
    const extra = { status: 'processing', payments: [{ txHash: ref }, {}, { kind: 'extra', txHash: again.ref }] }
    const told = isTakenOnce ? { status: 'failed' } : extra
    await bury(service, chainId)
    expect(await statusOf(service, { ...swap, ref: again.ref })).toMatchObject(told)
    expect((await statusOf(service, { ...swap, ref })).status).toBe('success')
  })

  // Across numbers its deposits only once they are made, so that nothing says whose an equal one is.
  if (route.venue !== 'across' && !isTakenOnce)
    it('paid twice by the same payload in one transaction ends once, with the other as extra', async () => {
      const payer = await payers().newPayer('an account of ERC-4337')
      const swap = await openSwap(service, route, { payer })
      // Exchanges of the offline network hold the output of each build once: another build provides the second.
      await openSwap(service, route, { payer: await payers().newPayer('an account of a key') })
      await fund(service, chainId, payer.address, { [token]: amount })
      const { ref } = await payer.pay([...callsOf(swap), ...callsOf(swap)])
      await expectSuccess(service, route, { ...swap, ref })
      const { payments } = await statusOf(service, { ...swap, ref })
      expect(payments?.map(({ kind, amount: seen, txHash }) => [kind, seen, txHash === ref])).toEqual([
        ['input', route.tookAmount ?? amount, true],
        ['extra', route.tookAmount ?? amount, true],
        ['output', swap.offer.output.amount, route.isAtOnce === true],
      ])
    })
})
