import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type TypedDataDefinition,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Client } from './connect.ts'
import type { Wallet } from './wallet.ts'

/** How often a node is asked for a receipt. */
const POLL_MS = 100

/** An account on every EVM chain, by viem. */
export const evmWallet = ({ chain, rpcUrl }: Pick<Client, 'chain' | 'rpcUrl'>, privateKey: Hex): Wallet => {
  const account = privateKeyToAccount(privateKey)

  const on = (chainId: number) => {
    const { name, nativeCurrency } = chain(chainId)
    const definition = defineChain({ id: chainId, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl(chainId)] } } })
    const options = { chain: definition, transport: http(), pollingInterval: POLL_MS }
    return { reader: createPublicClient(options), writer: createWalletClient({ ...options, account }) }
  }

  const send: Wallet['send'] = async ({ chainId, to, data, value }) => {
    const { reader, writer } = on(chainId)
    const hash = await writer.sendTransaction({ to: to as Address, data: data as Hex, value: BigInt(value) })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return hash
  }

  return {
    address: account.address,
    balance: ({ chainId, address, isNative }) => {
      const { reader } = on(chainId)
      if (isNative) return reader.getBalance(account)
      return reader.readContract({
        address: address as Address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account.address],
      })
    },
    send,
    sign: (typedData) => account.signTypedData(typedData as unknown as TypedDataDefinition),
    pay: ({ chainId, address, amount }, token) => {
      if (token.isNative) return send({ chainId, to: address, data: '0x', value: amount })
      const args = [address as Address, BigInt(amount)] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return send({ chainId, to: token.address, data, value: '0' })
    },
  }
}
