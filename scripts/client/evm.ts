import {
  type Chain,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PrivateKeyAccount,
  type TransactionReceipt,
  type TypedDataDefinition,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { NetworkControl } from './network.ts'
import { NATIVE } from './tokens.ts'
import type { Wallet } from './wallet.ts'

type Sending = { readonly chainId: number; readonly to: string; readonly data: string; readonly value: string }

/** A well-known development key, without real money. */
export const DEV_ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const POLL_MS = 50

const chainAt = (chainId: number, rpcUrl: string): Chain => ({
  id: chainId,
  name: `chain ${chainId}`,
  nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
})

const reader = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl), pollingInterval: POLL_MS, cacheTime: 0 })

const mined = async (rpcUrl: string, hash: Hex): Promise<TransactionReceipt> => {
  const receipt = await reader(rpcUrl).waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return receipt
}

/** Signs with the development account or another, broadcasts to the offline chain and waits for the receipt. */
export const broadcast = async (
  rpcUrl: string,
  { chainId, to, data, value }: Sending,
  account: PrivateKeyAccount = DEV_ACCOUNT,
): Promise<Hex> => {
  const wallet = createWalletClient({ account, chain: chainAt(chainId, rpcUrl), transport: http() })
  const hash = await wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value) })
  await mined(rpcUrl, hash)
  return hash
}

/** An unlimited allowance, for tests of other subjects than approvals. */
export const approveAll = (
  rpcUrl: string,
  { chainId, token, spender }: { chainId: number; token: string; spender: string },
): Promise<Hex> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, 2n ** 255n] })
  return broadcast(rpcUrl, { chainId, to: token, data, value: '0' })
}

/** An ordinary payment of a token or the native coin, as a wallet makes it. */
export const pay = (
  rpcUrl: string,
  { chainId, token, to, amount }: { chainId: number; token: string; to: string; amount: string },
  account: PrivateKeyAccount = DEV_ACCOUNT,
): Promise<Hex> => {
  if (token === NATIVE) return broadcast(rpcUrl, { chainId, to, data: '0x', value: amount }, account)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, BigInt(amount)] })
  return broadcast(rpcUrl, { chainId, to: token, data, value: '0' }, account)
}

/** The balance of an address in a token or the native coin. */
export const balanceOf = (rpcUrl: string, token: string, holder: string): Promise<bigint> => {
  const address = holder as Hex
  return token === NATIVE
    ? reader(rpcUrl).getBalance({ address })
    : reader(rpcUrl).readContract({ address: token as Hex, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
}

export const allowanceOf = (
  rpcUrl: string,
  { token, owner, spender }: { token: string; owner: string; spender: string },
): Promise<bigint> => {
  const args = [owner as Hex, spender as Hex] as const
  return reader(rpcUrl).readContract({ address: token as Hex, abi: erc20Abi, functionName: 'allowance', args })
}

export const receiptOf = (rpcUrl: string, hash: string | undefined): Promise<TransactionReceipt> =>
  reader(rpcUrl).getTransactionReceipt({ hash: hash as Hex })

/** The gas that the senders of these transactions paid, in wei. */
export const gasPaid = async (rpcUrl: string, hashes: readonly string[]): Promise<bigint> => {
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(rpcUrl, hash)))
  return receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)
}

/** Removes the block of a transaction and all later ones from an EVM chain. Returns the hashes of the removed transactions. */
export const reorganiseEvm = (
  { control }: { readonly control: NetworkControl },
  chainId: number,
  hash: string,
): Promise<readonly string[]> => control.reorg({ chainId, drop: hash })

/** The signed bytes of a transaction, for another broadcast. */
export const evmBytes = (rpcUrl: string, hash: string): Promise<Hex> =>
  reader(rpcUrl).request({ method: 'eth_getRawTransactionByHash' as never, params: [hash] as never })

/** Broadcasts signed bytes, and waits for the receipt. */
export const resendEvm = async (rpcUrl: string, bytes: Hex): Promise<Hex> => {
  const hash = await reader(rpcUrl).request({ method: 'eth_sendRawTransaction', params: [bytes] })
  await mined(rpcUrl, hash)
  return hash
}

/** An account on every EVM chain, by viem. */
export const evmWallet = ({ rpcUrl }: Pick<NetworkControl, 'rpcUrl'>, account: PrivateKeyAccount): Wallet => {
  const sent = async (chainId: number, hash: Hex) => ({ id: hash, cost: await gasPaid(rpcUrl(chainId), [hash]) })
  return {
    address: account.address,
    send: async (transaction) => {
      const { chainId } = transaction
      return sent(chainId, await broadcast(rpcUrl(chainId), transaction, account))
    },
    sign: (typedData) => account.signTypedData(typedData as unknown as TypedDataDefinition),
    pay: async ({ chainId, address: to, amount, token }) =>
      sent(chainId, await pay(rpcUrl(chainId), { chainId, token: token.address, to, amount }, account)),
  }
}
