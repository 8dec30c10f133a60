import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as Relay has it. Sources: docs.relay.link, and configs/chains.mainnets.prod.json of relayprotocol/relay-protocol-oracle. */
export type Network = {
  /** The service's number. */
  readonly chainId: ChainId
  /** Relay's own. */
  readonly id: number
  readonly vm: 'evm' | 'svm' | 'bvm'
  /** The chain's name in orders. */
  readonly name: string
  readonly depository: string
  /** Router 3.2, which deliveries and refunds go through; null where there is none. */
  readonly router: string | null
  /** What stands for the native coin. */
  readonly nativeCurrency: string
}

/** Signs what the venue answers for. */
export const SOLVER = '0xf70da97812cb96acdf810712aa562db8dfa3dbef'

/** Program on Solana, and the accounts derived from it by the seeds `relay_depository` and `vault`. */
export const SVM_DEPOSITORY = {
  program: '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2',
  state: 'Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc',
  vault: '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ',
} as const

const CONTRACTS = {
  depository: '0x4cd00e387622c35bddb9b4c962c136462338bc31',
  router: '0x0729e2a4716d9f7dd17858d5d504426d228697f7',
}
const CONTRACTS_LINEA = {
  depository: '0x59916da825d2d2ec1bf878d71c88826f6633ecca',
  router: '0x6328ea02d28131e58b28e55c6258258a30d90e05',
}

const evm = (chainId: ChainId, name: string, contracts = CONTRACTS): Network => ({
  ...{ chainId, id: chainId, vm: 'evm', name, nativeCurrency: ZERO_EVM_ADDRESS },
  ...contracts,
})

export const NETWORKS: readonly Network[] = [
  evm(1, 'ethereum'),
  evm(10, 'optimism'),
  evm(56, 'bnb'),
  evm(130, 'unichain'),
  evm(137, 'polygon'),
  evm(143, 'monad'),
  evm(324, 'zksync'),
  evm(480, 'worldchain'),
  evm(999, 'hyperevm'),
  evm(4663, 'robinhood'),
  evm(8453, 'base'),
  evm(42161, 'arbitrum'),
  evm(43114, 'avalanche'),
  evm(59144, 'linea', CONTRACTS_LINEA),
  {
    ...{ chainId: SOLANA, id: 792703809, vm: 'svm', name: 'solana', router: null },
    ...{ depository: SVM_DEPOSITORY.program, nativeCurrency: '11111111111111111111111111111111' },
  },
  {
    ...{ chainId: BITCOIN, id: 8253038, vm: 'bvm', name: 'bitcoin', router: null },
    depository: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu',
    nativeCurrency: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8',
  },
]

export const networkById = (id: number): Network | null => NETWORKS.find((network) => network.id === id) ?? null

export const networkOf = (chainId: number): Network | null => NETWORKS.find((network) => network.chainId === chainId) ?? null

/** An address as Relay writes it. */
export const spelled = ({ vm }: Network, address: string): string => (vm === 'evm' ? address.toLowerCase() : address)

/** A token of the offline network as Relay names it; null when there is none. Its own native markers mean nothing there. */
export const findToken = (tokens: SimTokens, network: Network, currency: string): SimToken | null => {
  if (spelled(network, currency) === network.nativeCurrency) return tokens.native(network.chainId)
  const token = tokens.find(network.chainId, currency)
  return token?.isNative ? null : token
}

/** As answers spell it. */
export const currencyOf = (network: Network, { isNative, address }: SimToken): string =>
  isNative ? network.nativeCurrency : spelled(network, address)

export const currencyBody = (network: Network, token: SimToken) => {
  const { symbol, name, decimals } = token
  return { chainId: network.id, address: currencyOf(network, token), symbol, name, decimals }
}

export const amountBody = (network: Network, token: SimToken, amount: bigint, minimum = amount) => ({
  currency: currencyBody(network, token),
  amount: amount.toString(),
  minimumAmount: minimum.toString(),
})

const SOLVER_SYMBOLS = new Set(['USDC', 'USDT', 'USDG'])

/** What the solver itself holds, and takes without a swap. */
export const isSolverCurrency = ({ isNative, symbol }: SimToken): boolean => isNative || SOLVER_SYMBOLS.has(symbol)
