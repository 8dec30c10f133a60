import { expect, it } from 'vitest'
import { createChains } from '../../../engine/chains/createChains.ts'
import { isDifferent } from '../../../engine/venues/checkPins.ts'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { FakeChains } from '../../support/fakeChains.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { placeContract } from '../journeys/attempt.ts'
import { createSwappers, describeAtOnce } from './atOnce.ts'

const input = [USDC.ethereum, '1000000000'] as const
const swappers = createSwappers('kyberswap')
const { service, open, expectReverted } = swappers

describeAtOnce(swappers, { definition: kyberswap, input, tooLittle: /Return amount is not enough/, tooLate: /EXPIRED/ })

it('for a recipient that takes no coins reverts, and nothing is lost but gas', async () => {
  const swap = await open(...input, NATIVE)
  await placeContract(service(), 1, swap.recipient, 'refuses')
  await expectReverted(swap, /ETH_TRANSFER_FAILED/)
})

it('pins: the offline router names the wrapped coin of its chain', async () => {
  const chains = createChains({ rpcUrls: { 1: [service().control.rpcUrl(1)] } })
  const { pins } = canned(kyberswap, () => ({}), { chains: chains as FakeChains }).venue
  const claims = await pins.find(({ name }) => name.endsWith('on chain 1'))?.claims(AbortSignal.timeout(10_000))
  await chains.close()
  expect(claims?.map(isDifferent)).toEqual([false])
})
