import { utf8ToBytes } from '@noble/hashes/utils.js'
import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import type { Address } from '../../core/address.ts'
import { CHAIN_IDS, type ChainId, type EvmChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import type { MayanClient } from './client.ts'
import type { createVersionCheck } from './map.ts'
import { pinned, wordOf, ZERO_WORD } from './protocol.ts'
import type { ContractsOn } from './published.ts'
import { listedChain } from './wire.ts'

const CHAINS = CHAIN_IDS.filter((chainId) => pinned(chainId) !== null)
const EVM_CHAINS = CHAINS.filter(isEvmChainId)

/** Views of MayanForwarder2 and of SwiftSource. The latter pays only by messages of emitters, which fill on other chains. */
const PROTOCOLS = parseAbi(['function mayanProtocols(address protocol) view returns (bool)'])
const EMITTERS = parseAbi(['function emitters(uint16 chainId) view returns (bytes32)'])

/** `emitters(1)` on Ethereum was this address on 2026-09-29. */
const solanaEmitter = (program: Address): Address => solanaProgramAddress(program, [utf8ToBytes('emitter')])

const emittersOf = (chainId: ChainId, on: ContractsOn): readonly Hex[] =>
  (chainId === SOLANA ? on(chainId).programs.map(solanaEmitter) : on(chainId).fills).map((address) => wordOf(chainId, address))

/** Two emitters for each chain: Solana's, and that of the next EVM chain, so that one other chain names each. */
const onChain = (chainId: EvmChainId, { chains, contracts }: Pick<PinPorts, 'chains' | 'contracts'>): PinSource => {
  const next = EVM_CHAINS[(EVM_CHAINS.indexOf(chainId) + 1) % EVM_CHAINS.length] ?? chainId
  const read = async (address: Address, call: Promise<Hex>, signal: AbortSignal): Promise<Hex> => {
    const answer = await chains.call({ chainId, address }, await call, signal)
    return answer === null || answer === '0x' ? ZERO_WORD : answer
  }
  return {
    name: `SwiftSource and Forwarder on chain ${chainId}`,
    chainId,
    claims: async (signal) => {
      const emitterClaim = async (of: ChainId): Promise<PinClaim> => {
        const call = encodeCall(EMITTERS, 'emitters', [pinned(of)?.wormholeId ?? 0])
        const words = await Promise.all(contracts(chainId).swifts.map((swift) => read(swift, call, signal)))
        const published = words.filter((word) => word !== ZERO_WORD)
        return { what: `emitter of chain ${of}`, pinned: emittersOf(of, contracts), published }
      }
      const isOpen = (swift: Address) =>
        read(contracts(chainId).forwarders[0], encodeCall(PROTOCOLS, 'mayanProtocols', [swift]), signal)
      const open = await Promise.all(
        contracts(chainId).swifts.map(async (swift) => (BigInt(await isOpen(swift)) === 1n ? [swift] : [])),
      )
      const protocol = { what: 'protocol of the Forwarder', pinned: contracts(chainId).swifts, published: open.flat() }
      return [protocol, ...(await Promise.all([SOLANA, next].map((of) => emitterClaim(of as ChainId))))]
    },
  }
}

type PinPorts = {
  readonly chains: Pick<Chains, 'call'>
  readonly client: Pick<MayanClient, 'switches'>
  readonly contracts: ContractsOn
  readonly version: Pick<ReturnType<typeof createVersionCheck>, 'own' | 'asked'>
}

/** Mayan's published values on chain and in its list of chains. */
export const createPins = (ports: PinPorts): readonly PinSource[] => [
  {
    name: 'list of chains, and the SDK version that quotes ask for',
    claims: async (signal) => {
      const rows = (await ports.client.switches(signal)).flatMap((row) => listedChain.readOrNull(row) ?? [])
      const [own, asked] = [ports.version.own, ports.version.asked()].map((version) => [version.join('.')])
      const version = { what: 'SDK version', pinned: own ?? [], published: asked ?? [] }
      const names = CHAINS.map((chainId) => ({
        what: `name of chain ${chainId}`,
        pinned: [pinned(chainId)?.name ?? ''],
        published: rows.flatMap(({ nameId, wChainId }) => (wChainId === pinned(chainId)?.wormholeId ? [nameId] : [])),
      }))
      return [version, ...names]
    },
  },
  ...EVM_CHAINS.map((chainId) => onChain(chainId, ports)),
]
