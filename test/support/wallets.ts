import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem'
import { ACCOUNT } from './swaps.ts'

type Sending = { readonly chainId: number; readonly to: string; readonly data: string; readonly value: string }

/** Signs with the development account, broadcasts to the offline chain and waits for the receipt. */
export const broadcast = async (rpcUrl: string, { chainId, to, data, value }: Sending): Promise<Hex> => {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = { id: chainId, name: `chain ${chainId}`, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const wallet = createWalletClient({ account: ACCOUNT, chain, transport: http() })
  const hash = await wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value) })
  const { status } = await createPublicClient({ chain, transport: http(), pollingInterval: 50 }).waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return hash
}

/** A standing allowance, for suites that are not about approvals. */
export const approveAll = (rpcUrl: string, { chainId, token, spender }: { chainId: number; token: string; spender: string }): Promise<Hex> =>
  broadcast(rpcUrl, {
    chainId,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, 2n ** 255n] }),
    value: '0',
  })
