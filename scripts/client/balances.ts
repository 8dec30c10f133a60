import { Connection, PublicKey } from '@solana/web3.js'
import { balanceOf } from './evm.ts'
import type { NetworkControl } from './network.ts'
import { BITCOIN, NATIVE_SOL, SOLANA } from './tokens.ts'

/** A wallet, and one token of it. */
export type Holding = { readonly chainId: number; readonly token: string; readonly owner: string }

type EsploraStats = { readonly funded_txo_sum: number; readonly spent_txo_sum: number }
type EsploraAddress = { readonly chain_stats: EsploraStats; readonly mempool_stats: EsploraStats }

const bitcoinHeld = async (rpcUrl: string, owner: string): Promise<bigint> => {
  const response = await fetch(`${rpcUrl}/address/${owner}`)
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  const { chain_stats, mempool_stats } = (await response.json()) as EsploraAddress
  return [chain_stats, mempool_stats].reduce(
    (held, { funded_txo_sum, spent_txo_sum }) => held + BigInt(funded_txo_sum) - BigInt(spent_txo_sum),
    0n,
  )
}

const solanaHeld = async (rpcUrl: string, { token, owner }: Holding): Promise<bigint> => {
  const [connection, key] = [new Connection(rpcUrl, 'confirmed'), new PublicKey(owner)]
  if (token === NATIVE_SOL) return BigInt(await connection.getBalance(key))
  const { value } = await connection.getParsedTokenAccountsByOwner(key, { mint: new PublicKey(token) })
  return value.reduce((held, { account }) => held + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

/** The balance of a wallet by its own chain, unconfirmed payments included. */
export const heldBy = ({ control }: { readonly control: Pick<NetworkControl, 'rpcUrl'> }, holding: Holding): Promise<bigint> => {
  const { chainId, token, owner } = holding
  const rpcUrl = control.rpcUrl(chainId)
  if (chainId === BITCOIN) return bitcoinHeld(rpcUrl, owner)
  return chainId === SOLANA ? solanaHeld(rpcUrl, holding) : balanceOf(rpcUrl, token, owner)
}

/** Reads several balances. Each call of the result returns their changes since then. */
export const watch = async <Name extends string>(
  service: { readonly control: Pick<NetworkControl, 'rpcUrl'> },
  holdings: { readonly [name in Name]: Holding },
): Promise<() => Promise<{ readonly [name in Name]: bigint }>> => {
  const names = Object.keys(holdings) as Name[]
  const read = () => Promise.all(names.map((name) => heldBy(service, holdings[name])))
  const before = await read()
  return async () => {
    const after = await read()
    return Object.fromEntries(names.map((name, i) => [name, (after[i] ?? 0n) - (before[i] ?? 0n)])) as { [name in Name]: bigint }
  }
}
