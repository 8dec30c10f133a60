import { BITCOIN, CHAIN_IDS, SOLANA } from '../../core/chain.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import type { ChainHeight } from './told.ts'

export type HeightChains = {
  readonly evm: Pick<EvmChains, 'rpc' | 'started'>
  readonly solana: Pick<SolanaChain, 'head'>
  readonly bitcoin: Pick<BitcoinChain, 'head'>
}

type Head = { readonly number: string; readonly timestamp: string }

const unknown = (chainId: number, isRunning: boolean): ChainHeight => ({ chainId, isRunning, height: null, blockAt: null })

const evmHeight = async ({ evm }: HeightChains, chainId: number): Promise<ChainHeight> => {
  if (!evm.started().includes(chainId)) return unknown(chainId, false)
  try {
    const { number, timestamp } = (await evm.rpc(chainId, 'eth_getBlockByNumber', ['latest', false])) as Head
    return { chainId, isRunning: true, height: Number(number), blockAt: Number(timestamp) * 1_000 }
  } catch {
    // It is ending, or out of order: that is told to whoever calls it.
    return unknown(chainId, true)
  }
}

const heightOf = (chains: HeightChains, chainId: number): ChainHeight | Promise<ChainHeight> => {
  if (chainId === BITCOIN) {
    const head = chains.bitcoin.head()
    return head ? { chainId, isRunning: true, height: head.height, blockAt: head.at } : unknown(chainId, false)
  }
  if (chainId !== SOLANA) return evmHeight(chains, chainId)
  const { isRunning, slot, at } = chains.solana.head()
  return isRunning ? { chainId, isRunning, height: slot, blockAt: at } : unknown(chainId, false)
}

/** Where every chain stands, Solana by its slot. Starts none of them. Never rejects. */
export const readHeights = (chains: HeightChains): Promise<readonly ChainHeight[]> =>
  Promise.all(CHAIN_IDS.map((chainId) => heightOf(chains, chainId)))

/** Looks at the chains again and again while somebody wants to know. */
export type ChainLooks = { start(): void; stop(): void }

/** Between two looks. */
const LOOK_MS = 1_000

/** @param tell - told of each chain that stands elsewhere than at the look before */
export const createChainLooks = (chains: HeightChains, tell: (height: ChainHeight) => void): ChainLooks => {
  const last = new Map<number, string>()
  let timer: NodeJS.Timeout | undefined
  let turn = 0

  const look = async (mine: number): Promise<void> => {
    for (const height of await readHeights(chains)) {
      const now = JSON.stringify(height)
      if (mine !== turn || last.get(height.chainId) === now) continue
      last.set(height.chainId, now)
      tell(height)
    }
    // From the end of this one on: slow chains are not asked more and more.
    if (mine === turn) again(mine)
  }

  const again = (mine: number): void => {
    timer = setTimeout(() => void look(mine), LOOK_MS).unref()
  }

  const stop = (): void => {
    turn += 1
    clearTimeout(timer)
    last.clear()
  }

  return {
    start: () => {
      stop()
      again(turn)
    },
    stop,
  }
}
