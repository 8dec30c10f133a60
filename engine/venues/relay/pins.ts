import { BITCOIN, CHAIN_IDS, isEvmChainId } from '../../core/chain.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import type { RelayClient } from './client.ts'
import type { DecodePorts } from './decode.ts'
import { depositoriesOn, routersOn } from './map.ts'
import { SOLVER_CHAIN, toWireChain } from './protocol.ts'
import { publishedChain, publishedRouter } from './wire.ts'

type Pins = Pick<DecodePorts, 'solver' | 'names' | 'routers' | 'depositories'>

/** The current router, and those of each version. A chain without a router has zeros. */
const routersIn = (contracts: { readonly [name: string]: unknown }): readonly string[] => {
  const routers = [contracts, ...Object.values(contracts)].flatMap((each) => publishedRouter.readOrNull(each)?.erc20Router ?? [])
  return [...new Set(routers)].filter((router) => !/^0x0*$/.test(router))
}

/** Chains, depositories, routers and the solver by the API's list. */
export const createPins = (
  { chains }: Pick<RelayClient, 'chains'>,
  { solver, names, routers, depositories }: Pins,
): readonly PinSource[] => [
  {
    name: 'GET /chains',
    claims: async (signal) => {
      const entries = await chains(signal)
      return CHAIN_IDS.flatMap((chainId): readonly PinClaim[] => {
        const entry = entries.find((each) => (each as { readonly id?: unknown } | null)?.id === toWireChain(chainId))
        const { contracts, solverAddresses, protocol } = publishedChain.readOrNull(entry) ?? {}
        const known = [...names].flatMap(([name, id]) => (id === chainId ? name : []))
        const on = (what: string, pinned: readonly string[], published: readonly (string | null | undefined)[]): PinClaim => {
          return { what: `${what} on chain ${chainId}`, pinned, published: published.flatMap((value) => value || []) }
        }
        // Relay has many wallets; the solver of its orders is one of them.
        const solvers = (solverAddresses ?? []).filter((each) => each?.toLowerCase() === solver.toLowerCase())
        return [
          on('chain name', known, [protocol?.v2?.chainId]),
          // A wallet pays no depository in bitcoin.
          ...(chainId === BITCOIN ? [] : [on('depository', depositoriesOn(chainId, depositories), [protocol?.v2?.depository])]),
          ...(isEvmChainId(chainId) ? [on('routers', routersOn(chainId, routers), routersIn(contracts ?? {}))] : []),
          ...(chainId === SOLVER_CHAIN ? [on('solver', [solver], solvers)] : []),
        ]
      })
    },
  },
]
