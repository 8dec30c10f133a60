import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { createChainflip } from '../../../engine/simnet/venues/chainflip/chainflip.ts'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { depositOf } from '../../support/venueKit/calls.ts'
import { createChainflipNetwork } from './fakeNetwork.ts'

export const VAULT = {
  ethereum: '0xF5e10380213880111522dd0efD3dbb45b9f62Bcc',
  arbitrum: '0x79001a5e762f3bEFC8e5871b42F6734e00498920',
} as const
/** Of integration tests of chainflip-sdk-monorepo. */
export const BROKER = 'cFHsUq1uK5opJudRDd1qkV354mUi9T7FB9SBFv17pVVm2LsU7'
export const WITH_BROKER = { BROKER_ACCOUNT: BROKER }
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const toSol = { to: [-2, NATIVE_SOL], amount: 1_000_000_000n, recipient: WALLETS.solana, slippageBps: 200 } as const
const toEvm = { recipient: WALLETS.evmOther, slippageBps: 200 }

export const orders = {
  /** 1 ether on Ethereum to bitcoin, by the vault. */
  ether: usually({ from: [1, NATIVE], to: [-1, NATIVE], amount: 10n ** 18n, recipient: WALLETS.bitcoin, slippageBps: 200 }),
  /** 1,000 USDC on Arbitrum to SOL, by the vault. */
  usdc: usually({ from: [42161, USDC.arbitrum], ...toSol }),
  /** The same of USDT, whose vault swaps are off. */
  usdt: usually({ from: [42161, USDT_ARBITRUM], ...toSol }),
  bitcoin: usually({ from: [-1, NATIVE], to: [1, USDC.ethereum], amount: 5_000_000n, ...toEvm }),
  sol: usually({ from: [-2, NATIVE_SOL], to: [42161, NATIVE], amount: 10n ** 10n, ...toEvm }),
}

export const openBench = (options: { readonly settings?: { readonly [name: string]: string } } = {}): Promise<VenueBench> => {
  const { evm, solana } = createChainflipNetwork()
  return createVenueBench(chainflip, createChainflip, { chains: createFakeChains(), evm, solana, ...options })
}

/** Pays a channel, on Bitcoin by a transaction that is there. */
export const deposit = async (
  bench: VenueBench,
  { execution, order }: ExecutedSwap,
  paid: { readonly amount?: bigint } = {},
): Promise<void> => {
  const { chainId, address, amount } = { ...depositOf(execution), ...paid }
  const txHash = chainId === -1 ? await bench.world.bitcoin.transfer({ to: address, amount }) : `0x${'ab'.repeat(32)}`
  if (!bench.sim.onDeposit({ chainId, address, amount, token: order.input.address, txHash })) throw new Error('unknown address')
}
