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
} from 'viem'
import { ACCOUNT, NATIVE } from './swaps.ts'

type Sending = { readonly chainId: number; readonly to: string; readonly data: string; readonly value: string }

const chainAt = (chainId: number, rpcUrl: string): Chain => ({
  id: chainId,
  name: `chain ${chainId}`,
  nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
})

const mined = async (rpcUrl: string, hash: Hex): Promise<TransactionReceipt> => {
  const receipt = await createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 }).waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return receipt
}

/** Signs with the development account or another, broadcasts to the offline chain and waits for the receipt. */
export const broadcast = async (
  rpcUrl: string,
  { chainId, to, data, value }: Sending,
  account: PrivateKeyAccount = ACCOUNT,
): Promise<Hex> => {
  const wallet = createWalletClient({ account, chain: chainAt(chainId, rpcUrl), transport: http() })
  const hash = await wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value) })
  await mined(rpcUrl, hash)
  return hash
}

/** Deploys creation code from the development account and gives the contract's address. */
export const deploy = async (rpcUrl: string, chainId: number, creationCode: Hex): Promise<Hex> => {
  const wallet = createWalletClient({ account: ACCOUNT, chain: chainAt(chainId, rpcUrl), transport: http() })
  const { contractAddress } = await mined(rpcUrl, await wallet.sendTransaction({ data: creationCode }))
  if (!contractAddress) throw new Error('nothing was deployed')
  return contractAddress
}

/** A standing allowance, for suites that are not about approvals. */
export const approveAll = (
  rpcUrl: string,
  { chainId, token, spender }: { chainId: number; token: string; spender: string },
): Promise<Hex> =>
  broadcast(rpcUrl, {
    chainId,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, 2n ** 255n] }),
    value: '0',
  })

/** An ordinary payment of a token or the native coin, as a wallet makes it. */
export const pay = (
  rpcUrl: string,
  { chainId, token, to, amount }: { chainId: number; token: string; to: string; amount: string },
): Promise<Hex> => {
  if (token === NATIVE) return broadcast(rpcUrl, { chainId, to, data: '0x', value: amount })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, BigInt(amount)] })
  return broadcast(rpcUrl, { chainId, to: token, data, value: '0' })
}

/** What an address holds of a token or the native coin. */
export const balanceOf = (rpcUrl: string, token: string, holder: string): Promise<bigint> => {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const address = holder as Hex
  return token === NATIVE
    ? client.getBalance({ address })
    : client.readContract({ address: token as Hex, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
}

export const allowanceOf = (
  rpcUrl: string,
  { token, owner, spender }: { token: string; owner: string; spender: string },
): Promise<bigint> =>
  createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: token as Hex,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner as Hex, spender as Hex],
  })
