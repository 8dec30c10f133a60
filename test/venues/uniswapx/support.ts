import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { createUniswapX } from '../../../engine/simnet/venues/uniswapx/uniswapx.ts'
import { uniswapx } from '../../../engine/venues/uniswapx/venue.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { networkOf } from '../fakeNetworks.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const REACTORS = {
  v2: '0x00000011F84B9aa48e5f8aA8B9897600006289Be',
  v3: '0xB274d5F4b833b61B340b654d600A864fB604a87c',
  priority: '0x000000001Ec5656dcdB24D90DFa42742738De729',
} as const
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')

export type UniswapXBench = VenueBench & { readonly chains: FakeChains }

export const openBench = async (): Promise<UniswapXBench> => {
  const chains = createFakeChains()
  const { evm } = networkOf('uniswapx')
  return { ...(await createVenueBench(uniswapx, createUniswapX, { chains, settings: { FEE_RECIPIENT }, evm })), chains }
}

/** The adapter, given these answers. */
export const cannedUniswapX = (answering: Answering, options: CannedOptions = {}): Canned =>
  canned(uniswapx, answering, { apiKey: 'a-key-0123456789', settings: { FEE_RECIPIENT }, ...options })

/** 2,000 dollars sold to another wallet, with a fee. */
const sale = (from: readonly [ChainId, string], to: string) =>
  usually({ from, to: [from[0], to], amount: 2_000_000_000n, recipient: WALLETS.evmOther, feeBps: 30 })

export const byV2 = sale([1, USDC], WETH)
export const byV3 = sale([42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'], NATIVE)
export const byPriority = sale([8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'], '0x4200000000000000000000000000000000000006')
export const onUnichain = sale([130, '0x078D782b760474a361dDA0AF3839290b0EF57AD6'], '0x4200000000000000000000000000000000000006')

export type Body = Record<string, unknown>

/** No quotes, as the API says it. */
export const NONE = { status: 404, body: { errorCode: 'ResourceNotFound', detail: '' } }
