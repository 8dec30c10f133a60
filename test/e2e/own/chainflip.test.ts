import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executeAs, follow, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'

/** What is paid to a channel otherwise than was asked for, in bitcoin: whatever becomes of it is what the chains show. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('chainflip'))
})
afterAll(() => service.close())

/** 0.05 BTC to USDC on Arbitrum, its channel ready to be paid. */
const open = async () => {
  const { quoteToken, slippage, output } = await service.call('quote', {
    body: {
      ...{ inputChainId: -1, outputChainId: 42161, inputToken: NATIVE, outputToken: USDC.arbitrum, inputAmount: '5000000' },
      ...{ userAddress: BITCOIN_WALLET, destinationAddress: ACCOUNT.address, excludeVenues: allBut('chainflip') },
    },
  })
  const { statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const send = (amount: string) => service.control.deposit({ chainId: -1, token: NATIVE, address: ref, amount })
  return { swap: { quoteToken, ref }, send, minimum: BigInt(slippage?.guaranteedMin ?? 0), output: BigInt(output.amount) }
}

describe('a deposit to a channel', () => {
  it('of more is swapped whole, at the price that was bound', async () => {
    const { swap, send, output } = await open()
    await send('10000000')
    const end = lastOf(await follow(service, swap, { stepMs: 10 * MINUTE_MS }))
    expect(end.status).toBe('success')
    expect(BigInt(end.deliveredAmount ?? 0)).toBeGreaterThan((output * 199n) / 100n)
  })

  it('of less is swapped for what it is worth, which is no success of this quote', async () => {
    const { swap, send, minimum } = await open()
    await send('2000000')
    await service.control.advance(HOUR_MS)
    const stayed = await staysIn(service, swap, 'processing')
    expect([stayed.venueStatus, BigInt(stayed.deliveredAmount ?? 0) < minimum]).toEqual(['COMPLETED', true])
  })

  it('below the least is lost: something was paid, and nothing is seen to come of it', async () => {
    const { swap, send } = await open()
    await send('2000')
    const seen = await follow(service, swap, { stepMs: 10 * MINUTE_MS, until: 'expired' })
    expect(statesOf(seen).at(-1)).toBe('expired')
    expect((await staysIn(service, swap, 'expired')).venueStatus).toBe('FAILED')
  })

  it('that comes too late is nobody’s, and one that never comes ends the swap', async () => {
    const [late, never] = [await open(), await open()]
    await service.control.advance(25 * HOUR_MS)
    await late.send('5000000')
    await service.control.advance(HOUR_MS)
    expect((await staysIn(service, late.swap, 'expired')).venueStatus).toBe('WAITING')
    expect((await statusOf(service, never.swap)).status).toBe('failed')
  })
})
