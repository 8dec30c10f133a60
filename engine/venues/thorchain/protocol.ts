import { parseAbi } from 'abitype'
import { namedArguments } from '../../chains/evm/abiFields.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, NATIVE, nativeAsset, parseAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

/** Names of chains and their coins. Source: `docs/concepts` of THORNode; live pools show which of them trade. */
export const CHAINS: { readonly [chainId in ChainId]?: { readonly code: string; readonly coin: string } } = {
  1: { code: 'ETH', coin: 'ETH.ETH' },
  56: { code: 'BSC', coin: 'BSC.BNB' },
  8453: { code: 'BASE', coin: 'BASE.ETH' },
  43114: { code: 'AVAX', coin: 'AVAX.AVAX' },
  [BITCOIN]: { code: 'BTC', coin: 'BTC.BTC' },
}

const CHAIN_IDS = Object.keys(CHAINS).map((chainId) => Number(chainId) as ChainId)

/** One letter for a coin: `common/asset.go` of THORNode. */
const SHORT_CODES: { readonly [code: string]: string } = {
  r: 'THOR.RUNE',
  b: 'BTC.BTC',
  e: 'ETH.ETH',
  s: 'BSC.BNB',
  a: 'AVAX.AVAX',
  f: 'BASE.ETH',
  c: 'BCH.BCH',
  l: 'LTC.LTC',
  d: 'DOGE.DOGE',
  g: 'GAIA.ATOM',
  x: 'XRP.XRP',
  tr: 'TRON.TRX',
  o: 'SOL.SOL',
}

/** The name of an asset with a letter expanded, in capitals as the network compares it. */
export const spelledOut = (text: string): string => {
  const code = text.toLowerCase()
  return Object.hasOwn(SHORT_CODES, code) ? (SHORT_CODES[code] ?? '') : text.toUpperCase()
}

/** The asset of a complete name; null for a name that omits or shortens the contract. */
export const assetNamed = (text: string): Asset | null => {
  const name = spelledOut(text)
  const chainId = CHAIN_IDS.find((id) => CHAINS[id]?.code === name.slice(0, name.indexOf('.')))
  if (chainId === undefined) return null
  if (name === CHAINS[chainId]?.coin) return nativeAsset(chainId)
  const contract = /^[A-Z]{1,8}\.[A-Z0-9_]{1,32}-0X([0-9A-F]{40})$/.exec(name)?.[1]
  const asset = contract === undefined || chainId === BITCOIN ? null : parseAsset(chainId, `0x${contract.toLowerCase()}`)
  return asset !== null && isNative(asset) ? null : asset
}

/** Whether this is the complete name of this asset. */
export const isNameOf = (text: string, asset: Asset): boolean => {
  const named = assetNamed(text)
  return named !== null && isSameAsset(named, asset)
}

/** The unit of assets and memos in the network, whatever the token has. */
const WIRE_DECIMALS = 8
/** Eight-decimal units of an amount; null with more digits, which the network would keep. */
export const toWire = (amount: bigint, decimals: number): bigint | null => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return amount % unit === 0n ? amount / unit : null
}

/** Smallest units of the token, rounded down: the payable amount. */
export const fromWire = (amount: bigint, decimals: number): bigint =>
  decimals >= WIRE_DECIMALS ? amount * 10n ** BigInt(decimals - WIRE_DECIMALS) : amount / 10n ** BigInt(WIRE_DECIMALS - decimals)

/** As fromWire, rounded up: the smallest amount of the token with at least this value. */
export const fromWireUp = (amount: bigint, decimals: number): bigint => {
  const rounded = fromWire(amount, decimals)
  return toWire(rounded, decimals) === amount ? rounded : rounded + 1n
}

/** The smallest number of eight-decimal units with at least this value in the token. */
export const leastInWire = (amount: bigint, decimals: number): bigint => {
  if (decimals <= WIRE_DECIMALS) return amount * 10n ** BigInt(WIRE_DECIMALS - decimals)
  const unit = 10n ** BigInt(decimals - WIRE_DECIMALS)
  return (amount + unit - 1n) / unit
}

/** A transaction hash in the network's spelling, which also identifies orders. */
export const toWireHash = (hash: string): string => hash.replace(/^0x/, '').toUpperCase()

/** Version 6.1, at one address on all its chains since 2025-08-30. */
const ROUTER_6 = addressOf('evm', '0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4')

/**
 * Routers in quotes and integrations from April to September 2026: versions 4.1 and 6.1. The network may replace them within a
 * day after an exploit. The nodes' router must be one of these, or of the operator's own.
 */
export const ROUTERS: { readonly [chainId in ChainId]?: readonly Address[] } = {
  1: [addressOf('evm', '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146'), ROUTER_6],
  56: [addressOf('evm', '0xb30eC53F98ff5947EDe720D32aC2da7e52A5f56b'), ROUTER_6],
  8453: [ROUTER_6],
  43114: [ROUTER_6],
}

/** The last five digits of its amount identify a deposit without a memo. Source: the memoless pages of dev.thorchain.org. */
export const REFERENCES = 100_000n

/** `chain/ethereum/contracts/THORChain_Router.sol` of THORNode. Its other deposit functions are private, or lack a deadline. */
const DEPOSIT = parseAbi([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiration) payable',
])

// The zero address represents coins.
export const DEPOSITED = parseAbi(['event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)'])
export const TRANSFERRED = parseAbi([
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
])

export type DepositCall = {
  readonly vault: Address
  readonly asset: Address
  readonly amount: bigint
  readonly memo: string
  /** Unix seconds. */
  readonly expiration: bigint
}

export const toRouterAsset = (asset: Asset): Address => (isNative(asset) ? ZERO_EVM_ADDRESS : asset.address)

/** An asset in the router's notation. */
export const fromRouterAsset = (chainId: ChainId, asset: Address): Asset => ({
  chainId,
  address: asset === ZERO_EVM_ADDRESS ? NATIVE : asset,
})

export const depositCall = ({ vault, asset, amount, memo, expiration }: DepositCall): Promise<Hex> =>
  encodeCall(DEPOSIT, 'depositWithExpiry', [vault, asset, amount, memo, expiration])

/** Null for another call, or for one not in canonical form. */
export const readDepositCall = async (data: string): Promise<DepositCall | null> => {
  const args = await readExactCall(DEPOSIT, data.toLowerCase() as Hex)
  return args && namedArguments(DEPOSIT, args)
}

/** The instruction of a deposit to the network. Amounts in eight-decimal units. */
export type SwapMemo = {
  /** In its written form: complete, a letter, or a part of its name. */
  readonly asset: string
  /** An address, or a name that the network resolves to one. */
  readonly recipient: string
  /** Null: the payer. */
  readonly refundTo: string | null
  /** 0 without a limit. */
  readonly limit: bigint
  /** Blocks between the parts of a split swap, and how many parts; with 0 parts the network decides. */
  readonly interval: bigint
  readonly quantity: bigint
  readonly affiliates: readonly { readonly name: string; readonly bps: number }[]
}

/** The network ignores longer ones. */
const BYTES_MAX = 250
const FUNCTIONS = new Set(['=', 's', 'swap', 'SWAP'])
/** In a memo; a quote allows less. */
const BPS_MAX = 10_000
const AFFILIATES_MAX = 5

const NONE = 0n

/** Digits, or digits with an exponent, rounded down; null for other text. */
const readLimit = (text: string): bigint | null => {
  if (text === '') return NONE
  const [, whole, fraction = '', exponent = '0'] = /^(\d{1,40})(?:\.(\d{1,20}))?(?:[eE](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const power = Number(exponent)
  return BigInt(`${whole}${fraction.slice(0, power).padEnd(power, '0')}`)
}

const readCount = (text: string): bigint | null => {
  if (text === '') return NONE
  return /^\d{1,18}$/.test(text) ? BigInt(text) : null
}

const partsOf = (text: string): readonly string[] => (text === '' ? [] : text.split('/'))

const readAffiliates = (names: readonly string[], shares: readonly string[]): SwapMemo['affiliates'] | null => {
  const isEven = shares.length === names.length || (shares.length === 1 && names.length > 0)
  const isRight = names.every((name) => name !== '') && shares.every((share) => /^\d{1,5}$/.test(share))
  if (!isEven || !isRight || names.length > AFFILIATES_MAX) return null
  const affiliates = names.map((name, i) => ({ name, bps: Number(shares[shares.length === 1 ? 0 : i]) }))
  return affiliates.reduce((sum, { bps }) => sum + bps, 0) <= BPS_MAX ? affiliates : null
}

/**
 * The content of a market swap's memo. Null for any other memo, and for one whose output goes through a contract at its
 * destination. `x/thorchain/memo` of THORNode.
 */
export const parseMemo = (text: string): SwapMemo | null => {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > BYTES_MAX) return null
  const [called = '', asset = '', to = '', limits = '', names = '', shares = '', ...rest] = text.split(':')
  const [recipient = '', refundTo = null, ...others] = to.split('/')
  const [limitText = '', intervalText = '', quantityText = '', ...more] = limits.split('/')
  const limit = readLimit(limitText)
  const [interval, quantity] = [readCount(intervalText), readCount(quantityText)]
  const affiliates = readAffiliates(partsOf(names), partsOf(shares))
  const isWhole = FUNCTIONS.has(called) && asset !== '' && recipient !== '' && refundTo !== ''
  if (!isWhole || rest.length > 0 || others.length > 0 || more.length > 0) return null
  if (limit === null || interval === null || quantity === null || affiliates === null) return null
  return { asset, recipient, refundTo, limit, interval, quantity, affiliates }
}

/** The memo of a swap in one part, without abbreviations. */
export const writeMemo = ({ asset, recipient, refundTo, limit, affiliates }: Omit<SwapMemo, 'interval' | 'quantity'>): string => {
  const to = refundTo === null ? recipient : `${recipient}/${refundTo}`
  const [names, shares] = [affiliates.map(({ name }) => name).join('/'), affiliates.map(({ bps }) => bps).join('/')]
  return ['=', asset, to, `${limit}/0/1`, ...(affiliates.length > 0 ? [names, shares] : [])].join(':')
}
