import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { BITCOIN } from '../../../core/chain.ts'
import { addressAt, bytesAt, uintAt } from '../../kit/abiWords.ts'
import type { SimLog, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { networkOf, type Pool } from './networks.ts'
import type { Registrations } from './registrations.ts'
import { type Swaps, wireHash } from './swaps.ts'

const DEPOSIT = keccakText('Deposit(address,address,uint256,string)')
const ZERO = `0x${'0'.repeat(40)}`

/** An event of the router: who is paid, what, how much, and the memo. */
const readDeposit = ({ topics: [topic, vault = '', asset = ''], data }: SimLog) =>
  topic === DEPOSIT
    ? [
        {
          vault: addressAt(vault, 0),
          asset: addressAt(asset, 0),
          amount: uintAt(data, 0),
          memo: Buffer.from(bytesAt(data, 1), 'hex').toString(),
        },
      ]
    : []

type Watched = { readonly pools: readonly Pool[]; readonly swaps: Swaps; readonly registrations: Registrations }

/** Watches the chains for what is paid to the vaults. */
export const watchDeposits = (
  { tokens, bitcoin }: Pick<World, 'tokens' | 'bitcoin'>,
  { pools, swaps, registrations }: Watched,
): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  /** By the router itself: what a contract deposits is not seen. */
  const onTransaction: SimVenue['onTransaction'] = ({ chainId, to, from, txHash, logs = [] }) => {
    const network = networkOf(chainId)
    const router = network?.router?.toLowerCase()
    if (!network || router === undefined || to.toLowerCase() !== router) return false
    const own = logs.filter(({ address }) => address.toLowerCase() === router).flatMap(readDeposit)
    for (const { vault, asset, amount, memo } of own) {
      const pool = pools.find(({ token }) => token === (asset === ZERO ? tokens.native(chainId) : tokens.find(chainId, asset)))
      if (pool && vault === network.vault.toLowerCase()) swaps.deposited({ from: pool, amount, memo, payer: from, txHash })
    }
    return own.length > 0
  }

  /** A deposit of bitcoin is what its own memo says, or its last digits stand for; else it goes back. */
  const onDeposit: SimVenue['onDeposit'] = ({ chainId, address, amount, txHash }) => {
    const pool = pools.find(({ network }) => network.chainId === BITCOIN)
    if (chainId !== BITCOIN || !pool || address !== pool.network.vault) return false
    const transaction = bitcoin.transaction(txHash)
    const written = transaction?.outputs.find(({ data }) => data !== null)?.data
    const memo = written ? Buffer.from(written).toString() : (registrations.take(amount, wireHash(txHash)) ?? '')
    swaps.deposited({ from: pool, amount, memo, payer: transaction?.inputs[0]?.address ?? bitcoin.treasury(), txHash })
    return true
  }

  return { onDeposit, onTransaction }
}
