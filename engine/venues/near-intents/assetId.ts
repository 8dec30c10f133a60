import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { parseAddress } from '../../core/address.ts'
import { type Asset, isSameAsset, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { ChainNames } from '../kit/settings.ts'
import { fromBase58 } from './base58.ts'
import { CHAIN_CODES, OMNI_CHAINS } from './protocol.ts'
import { BRIDGED_NATIVES } from './published.ts'

/*
 * The asset of an id, read from the id alone. The venue signs ids, and no other signed word identifies the assets. Its
 * token list is not signed, so no row may decide the meaning of an id. Forms as recorded from the live list:
 *   nep141:<chain>.omft.near                          the native coin
 *   nep141:<chain>-0x<address>.omft.near              an ERC-20
 *   nep141:sol-<keccak256(mint), last 20 bytes>.omft.near   an SPL token: its mint must be supplied, and is checked
 *   nep141:<chain>.omdep.near, nep141:<chain>-0x<address>.omdep.near   the same by the Omni Bridge; for SPL tokens the hash
 *   nep245:v2_1.omni.hot.tg:<chain id>_<base58 of the address>   an ERC-20, or twenty zero bytes: the native coin
 *   1cs_v1:<chain>:native:coin, 1cs_v1:<chain>:erc20:0x<address>, 1cs_v1:sol:spl:<mint>
 * Any other form is unsupported. Chains of `omft` and `1cs_v1` have the venue's codes, those of the operator's
 * setting too; the Omni Bridge has its own names.
 */

const ZERO_ADDRESS_BASE58 = '1'.repeat(20)

/** The token at an address; null for native markers, which are no contracts: wrapped SOL is not SOL. */
export const tokenAt = (chainId: ChainId, raw: string): Asset | null => {
  const address = parseAddress(ecosystemOf(chainId), raw)
  return address && address !== nativeAsset(chainId).address ? { chainId, address } : null
}

const tokenOf: Form['read'] = (code, address, _told, codes) => {
  const chainId = codes.get(code)
  return chainId === undefined || chainId === BITCOIN ? null : tokenAt(chainId, address)
}

const hashOfMint = (mint: string): string | null => {
  const bytes = fromBase58(mint)
  return bytes?.length === 32 ? bytesToHex(keccak_256(bytes).slice(12)) : null
}

const spl: Form['read'] = (code, hash, told, codes) =>
  codes.get(code) === SOLANA && hashOfMint(told) === hash ? tokenAt(SOLANA, told) : null

const hotToken = (chain: string, token: string): Asset | null => {
  const chainId = Number(chain) as ChainId
  if (!(chainId in CHAIN_CODES) || ecosystemOf(chainId) !== 'evm') return null
  if (token === ZERO_ADDRESS_BASE58) return nativeAsset(chainId)
  const bytes = fromBase58(token)
  return bytes?.length === 20 ? tokenAt(chainId, `0x${bytesToHex(bytes)}`) : null
}

const bridged = (chainId: ChainId | undefined) => BRIDGED_NATIVES.find((each) => each === chainId)
const native = (chainId: ChainId | undefined): Asset | null => (chainId === undefined ? null : nativeAsset(chainId))

type Form = { readonly pattern: RegExp; read(first: string, second: string, told: string, codes: ChainNames): Asset | null }

const FORMS: readonly Form[] = [
  { pattern: /^nep141:(\w{1,32})\.omft\.near$/, read: (code, _none, _told, codes) => native(bridged(codes.get(code))) },
  { pattern: /^nep141:(\w{1,32})-(0x[0-9a-f]{40})\.omft\.near$/, read: tokenOf },
  { pattern: /^nep141:(\w{1,32})-([0-9a-f]{40})\.omft\.near$/, read: spl },
  { pattern: /^nep141:([a-z]{1,16})\.omdep\.near$/, read: (name) => native(OMNI_CHAINS.get(name)) },
  { pattern: /^nep141:(sol)-0x([0-9a-f]{40})\.omdep\.near$/, read: spl },
  {
    pattern: /^nep141:([a-z]{1,16})-(0x[0-9a-f]{40})\.omdep\.near$/,
    read: (name, at) => tokenOf(name, at, '', OMNI_CHAINS),
  },
  { pattern: /^nep245:v2_1\.omni\.hot\.tg:([1-9][0-9]{0,9})_([1-9A-HJ-NP-Za-km-z]{20,28})$/, read: hotToken },
  { pattern: /^1cs_v1:(\w{1,32}):native:coin$/, read: (code, _none, _told, codes) => native(codes.get(code)) },
  { pattern: /^1cs_v1:(\w{1,32}):erc20:(0x[0-9a-f]{40})$/, read: tokenOf },
  { pattern: /^1cs_v1:(\w{1,32}):spl:([1-9A-HJ-NP-Za-km-z]{32,44})$/, read: tokenOf },
]

/**
 * The asset of an id, or null. `told` is the reported address of the asset. It is needed where the id holds only a hash of it,
 * and must match that hash.
 */
export const assetNamed = (assetId: string, told: string, codes: ChainNames): Asset | null => {
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(assetId)
    if (match) return read(match[1] ?? '', match[2] ?? '', told, codes)
  }
  return null
}

/** Ids of coins, on any chain. */
export const COIN_ID = /^(nep141:\w+\.(omft|omdep)\.near|nep245:.*_1{20}|1cs_v1:\w+:native:coin)$/

/** Whether an id names this asset. */
export const isNameOf = (assetId: string, asset: Asset, codes: ChainNames): boolean => {
  const named = assetNamed(assetId, asset.address, codes)
  return named !== null && isSameAsset(named, asset)
}
