import { it } from 'vitest'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
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
