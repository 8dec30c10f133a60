import { chainOf } from '../../../core/chain.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { currencyBody, NETWORKS, type Network } from './networks.ts'

const chainBody = (network: Network, tokens: SimTokens) => ({
  id: network.id,
  name: network.name,
  displayName: chainOf(network.chainId).name,
  vmType: network.vm,
  disabled: false,
  depositEnabled: true,
  blockProductionLagging: false,
  currency: currencyBody(network, tokens.native(network.chainId)),
  protocol: { v2: { chainId: network.name, depository: network.depository } },
})

/** GET /chains. */
export const chainsBody = (tokens: SimTokens) => ({ chains: NETWORKS.map((network) => chainBody(network, tokens)) })
