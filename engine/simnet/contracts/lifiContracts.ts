import type { GenesisAccount } from '../evm/anvilNode.ts'
import { createTokens } from '../kit/tokens.ts'
import { cctpUsdc, EXCHANGE, INTENTS, networkOf, POLYMER_FEES, ZERO_ADDRESS } from '../venues/lifi/networks.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** LI.FI's diamond and its fee contract at their addresses of one chain, and an exchange behind them. */
export const lifiContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  if (!network?.diamond || !network.feeForwarder) return []
  const usdc = cctpUsdc(createTokens(), network)?.address ?? ZERO_ADDRESS
  const own = [
    network.spokePool ?? ZERO_ADDRESS,
    network.wrapped ?? ZERO_ADDRESS,
    usdc,
    network.feeForwarder,
    EXCHANGE,
    POLYMER_FEES,
  ]
  const storage = Object.assign({}, ...own.map((address, i) => slot(BigInt(i), address)))
  return Promise.all([
    accountOf(network.diamond, 'SimLiFiDiamond', {}, storage),
    accountOf(network.feeForwarder, 'SimFeeForwarder'),
    accountOf(EXCHANGE, 'SimLiFiExchange'),
    accountOf(INTENTS.escrow, 'SimLiFiSettler'),
    accountOf(INTENTS.output, 'SimLiFiSettler'),
  ])
}
