import { base58 } from '@scure/base'
import { encodeCall, keccakText } from '../../../chains/evm/evmCodec.ts'
import { parseAddress } from '../../../core/address.ts'
import { isNative } from '../../../core/asset.ts'
import { ecosystemOf } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import {
  readCfParameters,
  WIRE_ASSETS,
  type WireAsset,
  wireAssetNumbered,
  wireChainOf,
  X_SWAP_NATIVE,
  X_SWAP_TOKEN,
} from '../../../venues/chainflip/protocol.ts'
import { addressAt, bytesAt, uintAt } from '../../kit/abiWords.ts'
import { littleEndian } from '../../kit/anchor.ts'
import type { SimLog, SimVenue } from '../../kit/simVenue.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { tokenOf, vaultOn } from './pricing.ts'
import type { Opened, Swaps } from './swaps.ts'

const SWAP_NATIVE = keccakText('SwapNative(uint32,bytes,uint32,uint256,address,bytes)')
const SWAP_TOKEN = keccakText('SwapToken(uint32,bytes,uint32,address,uint256,address,bytes)')

/** The account of Chainflip's own broker. */
const OWN_BROKER = '07'.repeat(32)

const little = (bytes: number, value: bigint): string => littleEndian(bytes, value).toString('hex')

/** SCALE of version 1 without options, as nodes write it. `broker`: the id of its account, in hex. */
export const writeCfParameters = (
  { retryBlocks, refundTo, minPriceX128, brokerBps }: Pick<Opened, 'retryBlocks' | 'refundTo' | 'minPriceX128' | 'brokerBps'>,
  broker: string,
): Hex => {
  const words = ['01', little(4, BigInt(retryBlocks)), refundTo.slice(2).toLowerCase(), little(32, minPriceX128)]
  return `0x${words.join('')}00000000${broker}${little(2, BigInt(brokerBps))}00`
}

/** An address as the vault receives it: raw bytes, or the text of a bitcoin address. */
const rawAddress = (address: string, { asset: { chainId } }: WireAsset): string => {
  const raw = {
    evm: () => Buffer.from(address.slice(2), 'hex'),
    solana: () => Buffer.from(base58.decode(address)),
    bitcoin: () => Buffer.from(address),
  }
  return `0x${raw[ecosystemOf(chainId)]().toString('hex')}`
}

const addressIn = (hex: string, { asset: { chainId } }: WireAsset): string | null => {
  const raw = Buffer.from(hex, 'hex')
  const texts = { evm: () => `0x${hex}`, solana: () => base58.encode(raw), bitcoin: () => raw.toString('utf8') }
  const ecosystem = ecosystemOf(chainId)
  return parseAddress(ecosystem, texts[ecosystem]())
}

type Call = Parameters<typeof writeCfParameters>[0] &
  Pick<Opened, 'src' | 'dest' | 'recipient'> & {
    readonly amount: bigint
    readonly contract: string
    readonly broker: string | null
  }

/** The answer of POST /api/encodeVaultSwapData: the call of a wallet. */
export const encodeVaultSwap = async ({ src, dest, ...call }: Call) => {
  // An account's name has its id between a prefix and a checksum.
  const broker = call.broker === null ? OWN_BROKER : Buffer.from(base58.decode(call.broker).slice(2, -2)).toString('hex')
  const parameters = writeCfParameters(call, broker)
  const target = [wireChainOf(dest.asset.chainId)?.contractId, rawAddress(call.recipient, dest), dest.contractId]
  const token = src.asset.address
  const isCoins = isNative(src.asset)
  const calldata = isCoins
    ? await encodeCall(X_SWAP_NATIVE, 'xSwapNative', [...target, parameters])
    : await encodeCall(X_SWAP_TOKEN, 'xSwapToken', [...target, token, call.amount, parameters])
  const value = isCoins ? call.amount.toString() : '0'
  return { chain: src.chain, to: call.contract, calldata, value, ...(isCoins ? {} : { sourceTokenAddress: token }) }
}

/** The swap that an event of a vault starts; null where the State Chain starts none. */
const readLog = (
  tokens: SimTokens,
  chainId: number,
  { topics: [topic], data }: SimLog,
): { readonly terms: Opened; readonly amount: bigint } | null => {
  if (topic !== SWAP_NATIVE && topic !== SWAP_TOKEN) return null
  const isCoins = topic === SWAP_NATIVE
  const input = isCoins ? tokens.native(chainId) : tokens.find(chainId, addressAt(data, 3))
  const src = WIRE_ASSETS.find(({ asset }) => asset.chainId === chainId && asset.address === input?.address)
  const dest = wireAssetNumbered(Number(uintAt(data, 0)), Number(uintAt(data, 2)))
  const output = dest && tokenOf(tokens, dest)
  const recipient = dest && addressIn(bytesAt(data, 1), dest)
  const parameters = readCfParameters(`0x${bytesAt(data, isCoins ? 4 : 5)}`)
  if (!input || !src || !dest || !output || recipient === null || !parameters) return null
  const { broker, boostBps: _, ...rest } = parameters
  const terms = { src, dest, input, output, recipient, ...rest, brokerBps: broker.bps, isVaultSwap: true }
  return { terms, amount: uintAt(data, isCoins ? 3 : 4) }
}

/** Starts a swap for each event of a vault, whatever wallet or router called it. */
export const watchVaults =
  (tokens: SimTokens, swaps: Swaps): SimVenue['onTransaction'] =>
  ({ chainId, txHash, logs = [] }) => {
    const own = logs.filter(({ address }) => address === vaultOn(chainId))
    for (const log of own) {
      const found = readLog(tokens, chainId, log)
      if (found) swaps.vaultSwap(found.terms, txHash, found.amount)
    }
    return own.length > 0
  }
