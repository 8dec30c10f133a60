import type { Address } from '../../core/address.ts'
import { CHAIN_IDS, type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import { hubPoolPins } from '../kit/hubPool.ts'
import type { PinSource, VenuePorts } from '../venue.ts'
import { INTENT_SETTLER, PERIPHERY } from './abi.ts'
import type { LifiClient } from './client.ts'
import { type Pinned, WITHOUT_INTENTS } from './published.ts'
import { chainRow } from './wire.ts'

type Ports = { readonly client: Pick<LifiClient, 'chains'>; readonly chains: VenuePorts['chains']; readonly pinned: Pinned }

const CHAINS = CHAIN_IDS.filter(isEvmChainId)

/** The list of chains has each diamond; each diamond has its fee contract and the escrow of LI.FI Intents. */
export const createPins = ({ client, chains, pinned }: Ports): readonly PinSource[] => {
  const ofList: PinSource['claims'] = async (signal) => {
    const rows = (await client.chains(signal)).chains.map((row) => chainRow.readOrNull(row))
    return CHAINS.map((chainId) => ({
      what: `diamond on chain ${chainId}`,
      pinned: pinned.diamonds[chainId] ?? [],
      published: rows.flatMap((row) => (row?.id === chainId ? [row.diamondAddress] : [])),
    }))
  }

  const ofDiamond = (chainId: EvmChainId, address: Address): PinSource => {
    const claims: PinSource['claims'] = async (signal) => {
      const forwarders = await readView(chains, { chainId, address }, { abi: PERIPHERY, args: ['FeeForwarder'] }, signal)
      const fees = {
        what: `fee contract on chain ${chainId}`,
        pinned: pinned.feeForwarders[chainId] ?? [],
        published: forwarders,
      }
      if (WITHOUT_INTENTS.includes(chainId)) return [fees]
      const settlers = await readView(chains, { chainId, address }, { abi: INTENT_SETTLER }, signal)
      return [
        fees,
        { what: `escrow of LI.FI Intents on chain ${chainId}`, pinned: pinned.inputSettlers[chainId] ?? [], published: settlers },
      ]
    }
    return { name: `diamond ${address} on chain ${chainId}`, chainId, claims }
  }

  const diamonds = CHAINS.flatMap((chainId) => (pinned.diamonds[chainId] ?? []).map((address) => ofDiamond(chainId, address)))
  return [
    { name: 'GET /v1/chains', claims: ofList },
    ...diamonds,
    hubPoolPins(chains, CHAINS, (chainId) => pinned.spokePools[chainId] ?? []),
  ]
}
