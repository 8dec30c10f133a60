import { type Address, parseAddress, parseEvmAddress } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createFreshLists, createKeptList } from '../kit/keptList.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { ThorNode } from './client.ts'
import { codeOf } from './published.ts'
import type { ThorchainSettings } from './settings.ts'
import { anyInbound, inboundRow, type Vaults } from './wire.ts'

type OnChain = Pick<Asset, 'chainId'>

/** The vault and router that a chain's deposits must use. */
export type Vault = {
  /** The first node's vault for new deposits. */
  readonly address: Address
  /** Every vault of the chain that both nodes list as active, `address` among them. */
  readonly active: readonly Address[]
  /** Null on chains without contracts. */
  readonly router: Address | null
  /** The network's cost of a payment there, eight-decimal units of the chain's coin. */
  readonly outboundFee: bigint
}

/** `lately`: answers of the last five seconds count. `now`: reads each node again. */
export type Since = 'lately' | 'now'

/** Vaults change every few days, and halts come from one block to the next. */
const FRESH = { entriesMax: 2, lifetimeMs: 5_000 }
const POOLS_MS = 60_000

export const halted = (chain: string): VenueError => new VenueError('noLiquidity', `thorchain does not swap on ${chain} now`)

const activeOn = ({ chainId }: OnChain, vaults: Vaults): readonly Address[] => {
  const code = codeOf({ chainId })
  const active = vaults.filter(({ status }) => status === 'ActiveVault')
  const listed = active.flatMap(({ addresses }) => addresses ?? []).filter(({ chain }) => chain === code)
  return listed.flatMap(({ address = '' }) => parseAddress(ecosystemOf(chainId), address) ?? [])
}

/** Live state of the network, as two of its nodes report it. Throws VenueError. */
export const createNetwork = (first: ThorNode, second: ThorNode, { routers }: ThorchainSettings, clock: Clock) => {
  const inbound = createFreshLists<readonly unknown[]>(FRESH, clock)
  const vaults = createFreshLists<Vaults>(FRESH, clock)
  const pools = createKeptList({ load: (signal) => first.pools(signal), clock, freshMs: POOLS_MS })

  /** Rejects unknown values in a row, halted or not. `address`: null only where the chain is halted. */
  const readRow = ({ chainId }: OnChain, rows: readonly unknown[]) => {
    const code = codeOf({ chainId })
    const listed = rows.flatMap((each) => anyInbound.readOrNull(each) ?? [])
    const found = listed.find(({ chain }) => chain === code)
    const chains = listed.map(({ chain }) => chain)
    if (found === undefined) throw rejected('inbound', `thorchain has no inbound address on ${code}`, chains)
    const row = inboundRow.read(found)
    const isPaused = listed.some((each) => each.global_trading_paused === true)
    const isHalted = isPaused || row.halted || row.chain_trading_paused || row.address === ''
    const address = parseAddress(ecosystemOf(chainId), row.address)
    const router = chainId === BITCOIN ? null : parseEvmAddress(row.router ?? '')
    if (address === null && row.address !== '') throw rejected('vault', `thorchain names no vault on ${code}`, row.address)
    // An unpublished router gets no money until the operator allows it.
    const isKnown = chainId === BITCOIN || (routers[chainId] ?? []).some((known) => known === router)
    if (!isKnown && !(isHalted && !row.router))
      throw rejected('router', `thorchain lists ${code} with an unknown router: VENUE_THORCHAIN_ROUTERS allows it`, row.router)
    if (row.outbound_fee === undefined && !isHalted)
      throw rejected('outboundFee', `thorchain names no outbound fee on ${code}`, found)
    return { address, router, outboundFee: BigInt(row.outbound_fee ?? 0), isHalted }
  }

  const readNode = async (node: ThorNode, i: number, since: Since, signal: AbortSignal) => {
    const [rows, listed] = await Promise.all([
      since === 'now' ? node.inboundAddresses(signal) : inbound(`${i}`, node.inboundAddresses, signal),
      since === 'now' ? node.vaults(signal) : vaults(`${i}`, node.vaults, signal),
    ])
    return { rows, listed }
  }

  return {
    /** The pools of the last minute: enough for a price. */
    pools: (signal: AbortSignal | null) => pools.read(signal),
    poolsNow: pools.renew,
    /**
     * The vault for deposits, which both nodes list as active: a payment to any other address is lost. Several vaults are active
     * at once, and each block may name another one. `paidOutOn`: must not be halted either.
     */
    agreedVault: async (
      asset: OnChain,
      signal: AbortSignal,
      { since = 'now', paidOutOn = asset }: { readonly since?: Since; readonly paidOutOn?: OnChain } = {},
    ): Promise<Vault> => {
      const [one, other] = await Promise.all([readNode(first, 0, since, signal), readNode(second, 1, since, signal)])
      const [vault, their] = [readRow(asset, one.rows), readRow(asset, other.rows)]
      const paidOut = [one, other].map(({ rows }) => readRow(paidOutOn, rows))
      const [code, { address, router }] = [codeOf(asset), vault]
      const theirs = activeOn(asset, other.listed)
      const both = activeOn(asset, one.listed).filter((each) => theirs.includes(each))
      const isHalted = address === null || vault.isHalted || their.isHalted
      if ((address !== null && !both.includes(address)) || (router !== their.router && !isHalted))
        throw rejected('vault', `thorchain: its nodes do not agree on the vault on ${code}`, { address, router })
      const frozen = [...one.listed, ...other.listed].filter((each) => each.frozen?.includes(code))
      const active = both.filter((each) => !activeOn(asset, frozen).includes(each))
      if (isHalted || !active.includes(address)) throw halted(code)
      if (paidOut.some((row) => row.isHalted)) throw halted(codeOf(paidOutOn))
      return { address, router, outboundFee: vault.outboundFee, active }
    },
  }
}

export type Network = ReturnType<typeof createNetwork>
