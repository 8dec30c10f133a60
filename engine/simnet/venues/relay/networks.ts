import { NATIVE, NATIVE_SOL } from '../../../core/asset.ts'
import { BITCOIN, type ChainId, chainOf, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

export type Vm = 'evm' | 'svm' | 'bvm'

/** One chain as Relay has it. Sources: docs.relay.link, and configs/chains.mainnets.prod.json of relayprotocol/relay-protocol-oracle. */
export type Network = {
  /** The service's number. */
  readonly chainId: number
  /** Relay's own. */
  readonly id: number
  readonly vm: Vm
  readonly displayName: string
  /** The chain's name in orders. */
  readonly name: string
  readonly depository: string
  readonly vault: string | null
  readonly router: string
  readonly approvalProxy: string
  /** What stands for the native coin. */
  readonly nativeCurrency: string
}

const DEPOSITORY = '0x4cd00e387622c35bddb9b4c962c136462338bc31'
const DEPOSITORY_LINEA = '0x59916da825d2d2ec1bf878d71c88826f6633ecca'
const ROUTER = '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'
const PROXY = '0xccc88a9d1b4ed6b0eaba998850414b24f1c315be'
const ROUTER_LINEA = '0x9ef6d3c2f60d7b9008d74cab1fc0f899c957c819'
const PROXY_LINEA = '0x8754bc615047de01228a7527b712806a71a8dc9a'

export const SOLVERS = {
  evm: '0xf70da97812cb96acdf810712aa562db8dfa3dbef',
  svm: 'F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe',
  bvm: 'bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc',
} as const

/** Program on Solana, and the accounts derived from it by the seeds `relay_depository` and `vault`. */
export const SVM_DEPOSITORY = {
  program: '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2',
  state: 'Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc',
  vault: '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ',
} as const

const BTC_DEPOSITORY = 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
const NATIVE_BTC = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
const SYSTEM_PROGRAM = '11111111111111111111111111111111'

const evm = (chainId: ChainId, name: string, depository: string = DEPOSITORY): Network => ({
  chainId,
  id: chainId,
  vm: 'evm',
  displayName: chainOf(chainId).name,
  name,
  depository,
  vault: null,
  router: chainId === 59144 ? ROUTER_LINEA : ROUTER,
  approvalProxy: chainId === 59144 ? PROXY_LINEA : PROXY,
  nativeCurrency: ZERO_ADDRESS,
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
  evm(59144, 'linea', DEPOSITORY_LINEA),
  {
    chainId: SOLANA,
    id: 792703809,
    vm: 'svm',
    displayName: 'Solana',
    name: 'solana',
    depository: SVM_DEPOSITORY.program,
    vault: SVM_DEPOSITORY.vault,
    router: '',
    approvalProxy: '',
    nativeCurrency: SYSTEM_PROGRAM,
  },
  {
    chainId: BITCOIN,
    id: 8253038,
    vm: 'bvm',
    displayName: 'Bitcoin',
    name: 'bitcoin',
    depository: BTC_DEPOSITORY,
    vault: null,
    router: '',
    approvalProxy: '',
    nativeCurrency: NATIVE_BTC,
  },
]

export const networkById = (id: number): Network | null => NETWORKS.find((network) => network.id === id) ?? null

const isNativeMarker = (address: string): boolean => address === NATIVE_SOL || address.toLowerCase() === NATIVE.toLowerCase()

/** A token of the offline network as Relay names it; null when there is none. Its own native markers mean nothing there. */
export const findToken = (tokens: SimTokens, network: Network, currency: string): SimToken | null => {
  const spelled = network.vm === 'evm' ? currency.toLowerCase() : currency
  if (spelled === network.nativeCurrency) return tokens.native(network.chainId)
  return isNativeMarker(currency) ? null : tokens.find(network.chainId, spelled)
}

/** As answers spell it. */
export const currencyOf = (network: Network, { isNative, address }: SimToken): string =>
  isNative ? network.nativeCurrency : network.vm === 'evm' ? address.toLowerCase() : address

const SOLVER_SYMBOLS = new Set(['USDC', 'USDT', 'USDG'])

/** What the solver itself holds, and takes without a swap. */
export const isSolverCurrency = ({ isNative, symbol }: SimToken): boolean => isNative || SOLVER_SYMBOLS.has(symbol)
