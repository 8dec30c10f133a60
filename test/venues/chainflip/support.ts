import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { createChainflip } from '../../../engine/simnet/venues/chainflip/chainflip.ts'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { depositOf } from '../../support/venueKit/calls.ts'
import { type Answer, type Asked, type Canned, canned, toldBy } from '../../support/venueKit/canned.ts'
import type { FakeNetwork } from '../../support/venueKit/network.ts'
import { createChainflipNetwork } from './fakeNetwork.ts'

export const VAULT = {
  ethereum: '0xF5e10380213880111522dd0efD3dbb45b9f62Bcc',
  arbitrum: '0x79001a5e762f3bEFC8e5871b42F6734e00498920',
} as const
export const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
/** Of integration tests of chainflip-sdk-monorepo. */
export const BROKER = 'cFHsUq1uK5opJudRDd1qkV354mUi9T7FB9SBFv17pVVm2LsU7'
export const WITH_BROKER = { BROKER_ACCOUNT: BROKER }

const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}) =>
    anOrder({ slippageBps: 200, ...usual, ...wish })

export const orders = {
  /** 1 ether on Ethereum to bitcoin, by the vault. */
  ether: orderOf({ from: [1, NATIVE], to: [-1, NATIVE], amount: 10n ** 18n, recipient: WALLETS.bitcoin }),
  /** 1,000 USDC on Arbitrum to SOL, by the vault. */
  usdc: orderOf({ from: [42161, USDC.arbitrum], to: [-2, NATIVE_SOL], amount: 1_000_000_000n, recipient: WALLETS.solana }),
  /** The same of USDT, whose vault swaps are off. */
  usdt: orderOf({ from: [42161, USDT_ARBITRUM], to: [-2, NATIVE_SOL], amount: 1_000_000_000n, recipient: WALLETS.solana }),
  bitcoin: orderOf({ from: [-1, NATIVE], to: [1, USDC.ethereum], amount: 5_000_000n, recipient: WALLETS.evmOther }),
  sol: orderOf({ from: [-2, NATIVE_SOL], to: [42161, NATIVE], amount: 10n ** 10n, recipient: WALLETS.evmOther }),
}

export type ChainflipBench = VenueBench & { readonly network: FakeNetwork; readonly chains: FakeChains }

export const openBench = async (options: { readonly settings?: Record<string, string> } = {}): Promise<ChainflipBench> => {
  const network = createChainflipNetwork()
  const chains = createFakeChains()
  const { evm, solana } = network
  return { ...(await createVenueBench(chainflip, createChainflip, { chains, evm, solana, ...options })), network, chains }
}

type Body = Record<string, unknown>
type Change = (body: never, asked: Asked) => unknown

/** The adapter, told by the simulator what is changed on its way; paths are given by their beginning. */
export const told = (
  { sim, clock }: Pick<VenueBench, 'sim' | 'clock'>,
  changes: { readonly [path: string]: Change },
  settings: Record<string, string> = {},
): Canned =>
  canned(
    chainflip,
    async (asked): Promise<Answer> => {
      const answer = await toldBy(sim)(asked)
      const [, change] = Object.entries(changes).find(([path]) => asked.path.startsWith(path)) ?? []
      return change ? { ...answer, body: change(answer.body as never, asked) ?? answer.body } : answer
    },
    { settings: { ...sim.settings, ...settings }, now: clock.now },
  )

/** One refusal for every question to a path; everything else the simulator answers. */
export const refusing = ({ sim, clock }: VenueBench, path: string, status: number, body: unknown): Canned =>
  canned(chainflip, (asked) => (asked.path.startsWith(path) ? { status, body } : toldBy(sim)(asked)), {
    settings: sim.settings,
    now: clock.now,
  })

export const pathsOf = (sent: readonly { readonly method: string; readonly path: string }[]): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path.replace(/[^/]*-\d+$/, '{id}')}`)

/** What was posted to a path. */
export const posted = (sent: readonly { readonly path: string; readonly body: unknown }[], path: string): readonly Body[] =>
  sent.flatMap((one) => (one.path === path ? [one.body as Body] : []))

/** Pays a channel, on Bitcoin by a transaction that is there. */
export const deposit = async (
  bench: VenueBench,
  { execution, order }: ExecutedSwap,
  paid: { readonly amount?: bigint; readonly txHash?: string } = {},
): Promise<string> => {
  const { chainId, address, amount } = { ...depositOf(execution), ...paid }
  const usual = chainId === -1 ? await bench.world.bitcoin.transfer({ to: address, amount }) : `0x${'ab'.repeat(32)}`
  const txHash = paid.txHash ?? usual
  if (!bench.sim.onDeposit({ chainId, address, amount, token: order.input.address, txHash })) throw new Error('unknown address')
  return txHash
}
