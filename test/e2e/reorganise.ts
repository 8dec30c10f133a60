import { createPublicClient, http } from 'viem'
import type { TestService } from '../support/service.ts'
import { receiptOf } from './evmReceipts.ts'

type Network = Pick<TestService, 'control'>

const post = async ({ control }: Network, path: string, wish: object): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) }
  const response = await fetch(`${control.url}${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const reorg = async (network: Network, wish: object): Promise<readonly string[]> =>
  ((await post(network, '/reorg', wish)) as { readonly dropped: readonly string[] }).dropped

/** Puts what is unconfirmed into a block now. */
export const mineBitcoin = async (network: Network): Promise<void> => void (await post(network, '/mine', { blocks: 1 }))

/** Makes a transaction of Bitcoin vanish, or all unconfirmed ones: the ids of what is gone. */
export const reorganiseBitcoin = (network: Network, drop: string): Promise<readonly string[]> =>
  reorg(network, { chainId: -1, drop })

/** Takes the blocks from a transaction's own on off an EVM chain. */
export const reorganiseEvm = async (network: Network, chainId: number, hash: string): Promise<readonly string[]> => {
  const rpcUrl = network.control.rpcUrl(chainId)
  const [{ blockNumber }, latest] = await Promise.all([
    receiptOf(rpcUrl, hash),
    createPublicClient({ transport: http(rpcUrl), cacheTime: 0 }).getBlockNumber(),
  ])
  return reorg(network, { chainId, depth: Number(latest - blockNumber) + 1 })
}
