import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { createBebop } from '../../../engine/simnet/venues/bebop/bebop.ts'
import { ROUTER_ABI, SINGLE_ABI } from '../../../engine/venues/bebop/protocol.ts'
import { bebop } from '../../../engine/venues/bebop/venue.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { networkOf } from '../fakeNetworks.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const ROUTER = '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A'
export const JAM = '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6'
export const SETTLEMENT = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F'
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
/** Who signs for the published router, by recorded quotes. */
export const LIVE_SIGNER = '0x00677F201E2f4A30D1D5b4e0ebbF672CaF336727'
const SETTINGS = { FEE_RECIPIENT }
export const BY_RFQ = { TOKENS_BY: 'rfq' }

/** Chains whose contracts return this address, whatever is read. */
export const chainsNaming = (address: string): FakeChains => {
  const chains = createFakeChains()
  chains.script.call = async () => `0x${address.slice(2).padStart(64, '0')}`
  return chains
}

export const openBench = async ({ settings = {} }: { readonly settings?: Record<string, string> } = {}): Promise<VenueBench> =>
  createVenueBench(bebop, createBebop, {
    ...{ chains: createFakeChains(), evm: networkOf('bebop').evm },
    ...{ settings: { ...SETTINGS, ...settings }, apiKey: null },
  })

export const cannedBebop = (answering: Answering, options: CannedOptions = {}): Canned =>
  canned(bebop, answering, { settings: SETTINGS, ...options })

/** To another wallet, on Ethereum. `dai` is sold by the settlement of makers, where tokens are sold by RFQ. */
export const orders = {
  usdc: usually({ from: [1, USDC], to: [1, WETH], amount: 1_000_000_000n, recipient: WALLETS.evmOther }),
  dai: usually({ from: [1, USDC], to: [1, DAI], amount: 1_000_000_000n, recipient: WALLETS.evmOther }),
  ether: usually({ from: [1, NATIVE], to: [1, USDC], amount: 10n ** 18n, recipient: WALLETS.evmOther }),
}

export const hexOf = (text: string): Hex => text as Hex

/** A call of the settlement with the order of one maker. */
export const readSingle = (data: string) => {
  const [order, signature, filled] = decodeFunctionData({ abi: SINGLE_ABI, data: hexOf(data) }).args
  return { order, signature, filled }
}
export type Single = ReturnType<typeof readSingle>
export const writeSingle = ({ order, signature, filled }: Single): Hex =>
  encodeFunctionData({ abi: SINGLE_ABI, functionName: 'swapSingle', args: [order, signature, filled] })

/** A call of the router, with the call of the settlement in it. */
export const readRouter = (data: string) => {
  const [exact, order, extra, signature, makers, hooks] = decodeFunctionData({ abi: ROUTER_ABI, data: hexOf(data) }).args
  return { exact, order, extra, signature, makers: readSingle(makers), hooks }
}
export type Routed = ReturnType<typeof readRouter>
export const writeRouter = ({ exact, order, extra, signature, makers, hooks }: Routed, inner = writeSingle(makers)): Hex =>
  encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [exact, order, extra, signature, inner, hooks] })
