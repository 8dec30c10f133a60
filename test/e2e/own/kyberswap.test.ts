import { expect, it } from 'vitest'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { placeContract } from '../journeys/attempt.ts'
import { createSwappers, describeAtOnce } from './atOnce.ts'

const input = [USDC.ethereum, '1000000000'] as const
const swappers = createSwappers('kyberswap')
const { service, open, expectReverted, quoted } = swappers

describeAtOnce(swappers, { definition: kyberswap, input, tooLittle: /Return amount is not enough/, tooLate: /EXPIRED/ })

it('for a recipient that takes no coins reverts, and nothing is lost but gas', async () => {
  const swap = await open(...input, NATIVE)
  await placeContract(service(), 1, swap.recipient, 'refuses')
  await expectReverted(swap, /ETH_TRANSFER_FAILED/)
})

it.each(['wrong-recipient', 'wrong-minimum', 'wrong-amount', 'wrong-contract'] as const)(
  'with the fault %s nothing is handed out',
  async (fault) => {
    const { quoteToken } = await quoted(...input, WETH_ETHEREUM)
    await service().control.fault('kyberswap', fault)
    const answer = await service().send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect([answer.status, JSON.stringify(answer.body).includes('0xe21fd0e9')]).toEqual([500, false])
  },
)
