import { expect, it } from 'vitest'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import { createSwappers } from './atOnce.ts'

/** Calls that a wallet makes itself, for tokens where the operator wants it so: the order within ends after 75 seconds. */

const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const ROUTER = '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A'
const SETTLEMENT = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F'

const { service, open, expectReverted } = createSwappers('bebop', { VENUE_BEBOP_TOKENS_BY: 'rfq' })

it.each([
  ['the router', WETH_ETHEREUM, ROUTER],
  ['the settlement of makers', DAI, SETTLEMENT],
])('a call of %s that is sent after the end of its order reverts, and nothing is lost but gas', async (_whose, output, to) => {
  const swap = await open(USDC.ethereum, '1000000000', output)
  expect(swap.transaction.to).toBe(to)
  await service().control.advance(2 * MINUTE_MS)
  // OrderExpired()
  await expectReverted(swap, /c56873ba/)
})
