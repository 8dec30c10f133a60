import { solanaProgramAddress } from '../../chains/solanaProgramAddress.ts'
import { type Address, addressOf, parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, ecosystemOf, SOLANA } from '../../core/chain.ts'

const evm = (raw: string): Address => addressOf('evm', raw)

const DEPOSITORY = evm('0x4cd00e387622c35bddb9b4c962c136462338bc31')
const DEPOSITORY_LONDON = evm('0x59916da825d2d2ec1bf878d71c88826f6633ecca')

/** The depository program on Solana. Source: packages/solana-vm of relayprotocol/relay-depository. */
export const SOLANA_DEPOSITORY = addressOf('solana', '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2')

const pda = (seed: string): Address => solanaProgramAddress(SOLANA_DEPOSITORY, [new TextEncoder().encode(seed)])

/** The two accounts of the depository program: its state, and the vault that holds what was deposited. */
export const solanaDepositoryAccounts = (): { readonly state: Address; readonly vault: Address } => ({
  state: pda('relay_depository'),
  vault: pda('vault'),
})

type Pinned = {
  /** Relay's own number of the chain. */
  readonly wireId: number
  /** The chain's name in orders; null: as the venue lists it. */
  readonly name: string | null
  /** What a wallet on that chain pays; null: swaps can end there, not begin. */
  readonly depository: Address | null
}

const on = (chainId: ChainId, name: string | null, depository: Address | null): Pinned => ({ wireId: chainId, name, depository })

/** Source: packages/ethereum-vm/deployments/addresses.prod.json of relayprotocol/relay-depository, 2026-04-20. */
const PINNED: { readonly [chainId in ChainId]: Pinned } = {
  1: on(1, 'ethereum', DEPOSITORY),
  10: on(10, 'optimism', DEPOSITORY),
  56: on(56, 'bnb', DEPOSITORY),
  130: on(130, 'unichain', DEPOSITORY),
  137: on(137, 'polygon', DEPOSITORY),
  // Listed by the venue, absent from its table of deployments.
  143: on(143, null, null),
  324: on(324, 'zksync', DEPOSITORY),
  480: on(480, 'worldchain', DEPOSITORY),
  999: on(999, 'hyperevm', DEPOSITORY),
  4663: on(4663, null, null),
  8453: on(8453, 'base', DEPOSITORY),
  42161: on(42161, 'arbitrum', DEPOSITORY),
  43114: on(43114, 'avalanche', DEPOSITORY),
  59144: on(59144, 'linea', DEPOSITORY_LONDON),
  [BITCOIN]: { wireId: 8253038, name: null, depository: addressOf('bitcoin', 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6') },
  [SOLANA]: { wireId: 792703809, name: null, depository: SOLANA_DEPOSITORY },
}

export const pinned = (chainId: ChainId): Pinned => PINNED[chainId]

/** Relay's solver, which orders name; `GET /chains` may list more. */
export const SOLVER = evm('0xf70da97812cb96acdf810712aa562db8dfa3dbef')

export type ContractTable = { readonly [chainId in ChainId]?: readonly Address[] }

/** The contracts a wallet may be asked to call or allow. A deposit in bitcoin goes to an address of its own. */
export const PUBLISHED_CONTRACTS: ContractTable = Object.fromEntries(
  CHAIN_IDS.filter((chainId) => chainId !== BITCOIN).flatMap((chainId) => {
    const { depository } = PINNED[chainId]
    return depository === null ? [] : [[chainId, [depository]]]
  }),
)

export const toWireChain = (chainId: ChainId): number => PINNED[chainId].wireId

const BY_WIRE_ID = new Map(CHAIN_IDS.map((chainId) => [PINNED[chainId].wireId, chainId]))

export const fromWireChain = (wireId: number): ChainId | null => BY_WIRE_ID.get(wireId) ?? null

/** What stands for the native coin of a chain there. https://docs.relay.link/references/api/api_resources/supported-chains */
const NATIVE_CURRENCY = {
  evm: ZERO_EVM_ADDRESS,
  solana: '11111111111111111111111111111111',
  bitcoin: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8',
} as const

/** An asset as Relay names it. The mint that stands for SOL with us is wrapped SOL there, and is never sent. */
export const toCurrency = ({ chainId, address }: Asset): string =>
  address === nativeAsset(chainId).address ? NATIVE_CURRENCY[ecosystemOf(chainId)] : address

/** The asset Relay names; null for what is none of the chain, and for wrapped SOL, which we have no name for. */
export const fromCurrency = (chainId: ChainId, currency: string): Asset | null => {
  const ecosystem = ecosystemOf(chainId)
  const native = nativeAsset(chainId)
  const spelled = ecosystem === 'evm' ? currency.toLowerCase() : currency
  if (spelled === NATIVE_CURRENCY[ecosystem]) return native
  const address = ecosystem === 'bitcoin' ? null : parseAddress(ecosystem, spelled)
  return address === null || address === native.address ? null : { chainId, address }
}
