import type { Chains } from '../../chains/chains.ts'
import { isEvmChainId } from '../../core/chain.ts'
import { claimAt, claimsOfChains } from '../kit/chainReads.ts'
import type { PinSource } from '../venue.ts'
import type { BebopClient } from './client.ts'
import { BALANCE_MANAGER, BEBOP_CHAIN_IDS, JAM_SETTLEMENT, pathOf, pinnedSigner, ROUTER } from './published.ts'
import type { BebopSettings } from './settings.ts'
import { ROUTER_SIGNER } from './signers.ts'

/** `balanceManager()`: src/base/JamValidation.sol of bebop-dex/bebop-jam-contracts */
const MANAGER = '0x416e6d5e'

export const createPins = (
  client: BebopClient,
  chains: Pick<Chains, 'call'>,
  { routerSigner }: BebopSettings,
): readonly PinSource[] => {
  const chainIds = BEBOP_CHAIN_IDS.filter(isEvmChainId)
  const signed = chainIds.flatMap((chainId) => {
    const signer = pinnedSigner(chainId, routerSigner)
    return signer === null ? [] : [{ chainId, signer }]
  })
  return [
    {
      name: `routerSigner() of ${ROUTER}`,
      claims: (signal) =>
        claimsOfChains(
          signed.map(({ chainId, signer }) => {
            const pin = { what: `signer of the router on chain ${chainId}`, pinned: [signer] }
            return claimAt(chains, { ...pin, chainId, address: ROUTER, data: ROUTER_SIGNER }, signal)
          }),
        ),
    },
    {
      name: `balanceManager() of ${JAM_SETTLEMENT}`,
      claims: (signal) =>
        claimsOfChains(
          chainIds.map((chainId) => {
            const pin = { what: `balance manager on chain ${chainId}`, pinned: [BALANCE_MANAGER] }
            return claimAt(chains, { ...pin, chainId, address: JAM_SETTLEMENT, data: MANAGER }, signal)
          }),
        ),
    },
    {
      name: 'GET /pmm/chains',
      claims: async (signal) => {
        const listed = Object.entries(await client.chains(signal))
        return chainIds.map((chainId) => ({
          what: `path of chain ${chainId}`,
          pinned: [pathOf(chainId) ?? ''],
          published: listed.flatMap(([path, id]) => (id === chainId ? [path] : [])),
        }))
      },
    },
  ]
}
