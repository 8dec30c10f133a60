import { parseAddress } from '../../core/address.ts'
import { BITCOIN, CHAINS, ecosystemOf, isChainId, SOLANA } from '../../core/chain.ts'
import { faucetTokens } from '../watch/telling.ts'
import type { BalancesTold, BalanceTold, FaucetToken } from '../watch/told.ts'
import type { Control, Controls } from './controls.ts'
import { badField } from './fields.ts'

/** A throw-away wallet has one for each kind of chain. */
const ADDRESSES_MAX = 4

const readAddresses = (query: URLSearchParams): readonly string[] => {
  const addresses = query.getAll('address')
  if (addresses.length === 0 || addresses.length > ADDRESSES_MAX)
    throw badField('address', `must be given once to ${ADDRESSES_MAX} times`)
  return addresses
}

/** All chains, where none is named. */
const readChains = (query: URLSearchParams) => {
  const wanted = query.get('chainId')
  if (wanted === null) return CHAINS
  const found = /^-?[0-9]{1,6}$/.test(wanted) && isChainId(Number(wanted))
  if (!found) throw badField('chainId', `must be one of ${CHAINS.map(({ chainId }) => chainId).join(', ')}`)
  return CHAINS.filter(({ chainId }) => chainId === Number(wanted))
}

/** Zero on a chain that was not needed yet: it is not started for that. */
const balanceOf = async (controls: Controls, { chainId, address }: FaucetToken, owner: string): Promise<bigint> => {
  const { evm, solana, bitcoin } = controls
  if (chainId === SOLANA) return solana.head().isRunning ? solana.balance(address, owner) : 0n
  if (chainId === BITCOIN) return bitcoin.head() ? bitcoin.balance(owner) : 0n
  return evm.started().includes(chainId) ? evm.balance(chainId, address, owner) : 0n
}

type Holder = { readonly chainId: number; readonly owner: string }

const readHolder = async (controls: Controls, { chainId, owner }: Holder): Promise<BalancesTold> => {
  try {
    const tokens = faucetTokens(controls.tokens, chainId)
    const read = async (token: FaucetToken): Promise<BalanceTold> => {
      const amount = await balanceOf(controls, token, owner)
      return { ...token, owner, amount: amount.toString() }
    }
    return { balances: await Promise.all(tokens.map(read)), unread: [] }
  } catch (error) {
    return { balances: [], unread: [{ chainId, reason: error instanceof Error ? error.message : String(error) }] }
  }
}

/** What addresses hold, on every chain where they are one. */
export const balances: Control = async (controls, _body, query): Promise<BalancesTold> => {
  const chains = readChains(query)
  const holders = readAddresses(query).flatMap((given): readonly Holder[] => {
    const own = chains.flatMap(({ chainId }) => {
      const owner = parseAddress(ecosystemOf(chainId), given)
      return owner ? [{ chainId, owner }] : []
    })
    if (own.length === 0) throw badField('address', 'must be an address of a chain there is')
    return own
  })
  const read = await Promise.all(holders.map((holder) => readHolder(controls, holder)))
  return { balances: read.flatMap((one) => one.balances), unread: read.flatMap(({ unread }) => unread) }
}
