import type { Abi } from 'abitype'
import type { Address } from '../../core/address.ts'
import { CHAIN_IDS, type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import type { PinSource, VenuePorts } from '../venue.ts'
import type { DebridgeClient } from './client.ts'
import { DESTINATION_OF, FIXED_FEE, isServed, TRANSFER_FEE, toWireChain } from './protocol.ts'
import type { Pinned } from './published.ts'
import { chainRow } from './wire.ts'

type Ports = { readonly client: Pick<DebridgeClient, 'chains'>; readonly chains: VenuePorts['chains']; readonly pinned: Pinned }

const SERVED = CHAIN_IDS.filter(isServed).filter(isEvmChainId)

/** The list of chains has their numbers; DlnSource has its fees, and the paying contract of another chain. */
export const createPins = ({ client, chains, pinned: ours }: Ports): readonly PinSource[] => {
  const ofList: PinSource['claims'] = async (signal) => {
    const rows = (await client.chains(signal)).chains.map((row) => chainRow.readOrNull(row))
    return SERVED.map((chainId) => ({
      what: `number of chain ${chainId}`,
      pinned: [String(toWireChain(chainId))],
      published: rows.flatMap((row) => (row && Number(row.originalChainId) === chainId ? [String(row.chainId)] : [])),
    }))
  }

  const ofSource = (chainId: EvmChainId, address: Address): PinSource => ({
    name: `${address} on chain ${chainId}`,
    chainId,
    claims: (signal) => {
      const other = toWireChain(chainId === 1 ? 8453 : 1)
      const views: readonly (readonly [what: string, pinned: readonly string[], abi: Abi, args?: readonly unknown[]])[] = [
        ['fixed fee', [String(ours.feeOn(chainId))], FIXED_FEE],
        ['protocol fee', ours.feeBps.map(String), TRANSFER_FEE],
        [`contract that pays on chain ${other}`, ours.destinations(chainId === 1 ? 8453 : 1), DESTINATION_OF, [BigInt(other)]],
      ]
      const claims = views.map(async ([what, pinned, abi, args = []]) => {
        const published = await readView(chains, { chainId, address }, { abi, args }, signal)
        return { what: `${what} by chain ${chainId}`, pinned, published }
      })
      return Promise.all(claims)
    },
  })

  return [
    { name: 'GET /supported-chains-info', claims: ofList },
    ...SERVED.flatMap((chainId) => ours.sources(chainId).map((source) => ofSource(chainId, source))),
  ]
}
