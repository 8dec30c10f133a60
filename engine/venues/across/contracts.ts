import { type Address, addressOf } from '../../core/address.ts'
import { type ChainId, chainOf, type EvmChainId, SOLANA } from '../../core/chain.ts'

const evm = (raw: string): Address => addressOf('evm', raw)

/** What Across runs on one EVM chain. Source: across-protocol/contracts, broadcast/deployed-addresses.json. */
export type AcrossChain = {
  readonly spokePool: Address
  /** Every generation of the periphery that was seen answering in 2026. */
  readonly peripheries: readonly Address[]
  /** Runs the calls of a deposit's message on arrival. */
  readonly multicallHandler: Address
  /** Its `emitData` only logs. */
  readonly eventEmitter: Address
}

const PERIPHERY_FEBRUARY = '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C'
const PERIPHERY_JUNE = '0x10D8b8DaA26d307489803e10477De69C0492B610'
const PERIPHERY_AUTUMN = '0x97ccdbea4632140639ad5ea9b944aa034eb15fd4'
const USUAL_PERIPHERIES = [PERIPHERY_FEBRUARY, PERIPHERY_JUNE, PERIPHERY_AUTUMN]
const USUAL_HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const USUAL_EMITTER = '0xBF75133b48b0a42AB9374027902E83C5E2949034'

const chain = (
  spokePool: string,
  peripheries: readonly string[] = USUAL_PERIPHERIES,
  multicallHandler = USUAL_HANDLER,
  eventEmitter = USUAL_EMITTER,
): AcrossChain => ({
  spokePool: evm(spokePool),
  peripheries: peripheries.map(evm),
  multicallHandler: evm(multicallHandler),
  eventEmitter: evm(eventEmitter),
})

export const ACROSS_CHAINS: { readonly [chainId in EvmChainId]?: AcrossChain } = {
  1: chain('0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'),
  10: chain('0x6f26Bf09B1C792e3228e5467807a900A503c0281'),
  56: chain('0x4e8E101924eDE233C13e2D8622DC8aED2872d505'),
  130: chain('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  137: chain('0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'),
  143: chain(
    '0xd2ecb3afe598b746F8123CaE365a598DA831A449',
    ['0xe9b0666DFfC176Df6686726CB9aaC78fD83D20d7', PERIPHERY_JUNE],
    '0xeC41F75c686e376Ab2a4F18bde263ab5822c4511',
  ),
  324: chain(
    '0xE0B015E54d54fc84a6cB9B666099c46adE9335FF',
    ['0x672b9ba0CE73b69b5F940362F0ee36AAA3F02986', '0x5a148a9260c1f670429361c34d40b477280F01a9'],
    '0x68d3806E57148D6c6793C78EbDDbc272fE605dbf',
    '0x74a2966e23B61A360b1345eA359127aF325beC4C',
  ),
  480: chain('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  999: chain(
    '0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04',
    ['0xF1BF00D947267Da5cC63f8c8A60568c59FA31bCb', PERIPHERY_JUNE],
    '0x5E7840E06fAcCb6d1c3b5F5E0d1d3d07F2829bba',
  ),
  8453: chain('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
  42161: chain('0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'),
  59144: chain(
    '0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75',
    ['0xE0BCff426509723B18D6b2f0D8F4602d143bE3e0', PERIPHERY_JUNE, PERIPHERY_AUTUMN],
    '0xdF1C940487574EEfa79989a79a4936A0F979cDa2',
  ),
}

export const SVM_SPOKE = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')

/** Across's own number for Solana; EVM chains go by theirs. */
const WIRE_SOLANA = 34268394551451

/** Across deployments on an EVM chain; null for chains it does not serve and for Solana. */
export const acrossChain = (chainId: ChainId): AcrossChain | null => ACROSS_CHAINS[chainId as EvmChainId] ?? null

export const isServed = (chainId: ChainId): boolean => chainId === SOLANA || acrossChain(chainId) !== null

export const toWireChain = (chainId: ChainId): number => (chainId === SOLANA ? WIRE_SOLANA : chainId)

/** Null when the number is no chain we serve through Across. */
export const fromWireChain = (wire: bigint): ChainId | null => {
  if (wire === BigInt(WIRE_SOLANA)) return SOLANA
  const chainId = Number(wire) as EvmChainId
  return BigInt(chainId) === wire && ACROSS_CHAINS[chainId] ? chainId : null
}

const WRAPPED_MONAD = evm('0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A')

/** The ERC-20 form of an EVM chain's native coin, which Across bridges in its place. */
export const wrappedNative = (chainId: ChainId): Address | null => {
  if (chainId === 143) return WRAPPED_MONAD
  const { wrappedNative: address } = chainOf(chainId)
  return address === null ? null : evm(address)
}

export type ContractTable = { readonly [chainId in ChainId]?: readonly Address[] }

/** `chainId:address` items separated by commas, as an operator adds a new periphery generation. */
export const parseExtraContracts = (text: string | null): ContractTable => {
  const table: { [chainId in ChainId]?: Address[] } = {}
  for (const item of (text ?? '').split(',').filter((part) => part !== '')) {
    const [chain, address = ''] = item.split(':')
    const chainId = fromWireChain(BigInt(chain ?? ''))
    if (chainId === null) throw new TypeError(`Across is not known on chain ${chain}`)
    table[chainId] = [...(table[chainId] ?? []), evm(address)]
  }
  return table
}

/** The contracts a wallet may be asked to call or allow, the operator's additions included. */
export const publishedContracts = (extra: ContractTable): ContractTable => {
  const table: { [chainId in ChainId]?: readonly Address[] } = { [SOLANA]: [SVM_SPOKE] }
  for (const [key, { spokePool, peripheries }] of Object.entries(ACROSS_CHAINS)) {
    const chainId = Number(key) as EvmChainId
    table[chainId] = [spokePool, ...peripheries, ...(extra[chainId] ?? [])]
  }
  return table
}
