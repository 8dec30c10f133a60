import { base58 } from '@scure/base'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { addressAt, bytesAt, uintAt } from '../../kit/abiWords.ts'
import { callData } from '../../kit/callData.ts'
import type { SimLog, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type CfParameters, readCfParameters, writeCfParameters } from './cfParameters.ts'
import { ASSETS, assetNumbered, type CfAsset, tokenOf, vaultOn } from './networks.ts'
import type { Orders } from './orders.ts'
import type { Pair } from './pricing.ts'

/** IVault.sol of chainflip-eth-contracts. */
const X_SWAP_NATIVE = 'function xSwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes cfParameters) payable'
const X_SWAP_TOKEN =
  'function xSwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes cfParameters)'
const SWAP_NATIVE = keccakText('SwapNative(uint32,bytes,uint32,uint256,address,bytes)')
const SWAP_TOKEN = keccakText('SwapToken(uint32,bytes,uint32,address,uint256,address,bytes)')

/** Of Chainflip's own broker: any account does here. */
const OWN_BROKER = '07'.repeat(32)

/** An address as the vault carries it: of bitcoin its text. */
const rawAddress = (address: string, { chainId }: CfAsset): string =>
  ({
    evm: () => address.toLowerCase(),
    solana: () => `0x${Buffer.from(base58.decode(address)).toString('hex')}`,
    bitcoin: () => `0x${Buffer.from(address).toString('hex')}`,
  })[ecosystemOf(chainId as ChainId)]()

const addressOf = (hex: string, { chainId }: CfAsset): string | null => {
  const raw = Buffer.from(hex, 'hex')
  const ecosystem = ecosystemOf(chainId as ChainId)
  const spelled = { evm: () => `0x${hex}`, solana: () => base58.encode(raw), bitcoin: () => raw.toString('utf8') }[ecosystem]()
  return parseAddress(ecosystem, spelled)
}

type Call = CfParameters & {
  readonly recipient: string
  readonly amount: bigint
  readonly contract: string
  readonly broker: string | null
}

/** The call a wallet is to make. */
export const encodeVaultSwap = async ({ src, dest }: Pair, call: Call) => {
  // The account's id stands between the prefix and the checksum.
  const broker = call.broker === null ? OWN_BROKER : Buffer.from(base58.decode(call.broker).slice(2, -2)).toString('hex')
  const parameters = `0x${writeCfParameters(call, broker)}`
  const target = [dest.chainNumber, rawAddress(call.recipient, dest), dest.assetNumber]
  const isCoins = src.token === ''
  const calldata = isCoins
    ? await callData(X_SWAP_NATIVE, [...target, parameters])
    : await callData(X_SWAP_TOKEN, [...target, src.token, call.amount, parameters])
  const value = isCoins ? call.amount.toString() : '0'
  return { chain: src.chain, to: call.contract, calldata, value, ...(isCoins ? {} : { sourceTokenAddress: src.token }) }
}

type Told = {
  readonly src: CfAsset
  readonly dest: CfAsset
  readonly recipient: string
  readonly amount: bigint
  readonly parameters: CfParameters
}

/** What the event of a vault tells; null where the State Chain could not make a swap of it. */
const readLog = (chainId: number, { topics: [topic], data }: SimLog): Told | null => {
  if (topic !== SWAP_NATIVE && topic !== SWAP_TOKEN) return null
  const isCoins = topic === SWAP_NATIVE
  const token = isCoins ? '' : addressAt(data, 3)
  const src = ASSETS.find((each) => each.chainId === chainId && each.token.toLowerCase() === token) ?? null
  const dest = assetNumbered(Number(uintAt(data, 0)), Number(uintAt(data, 2)))
  const recipient = dest && addressOf(bytesAt(data, 1), dest)
  const parameters = readCfParameters(bytesAt(data, isCoins ? 4 : 5))
  if (!src || !dest || recipient === null || !parameters) return null
  return { src, dest, recipient, amount: uintAt(data, isCoins ? 3 : 4), parameters }
}

/** Watches the vaults: what they were called for, whatever wallet or router was between. */
export const watchVaults =
  ({ tokens }: Pick<World, 'tokens'>, orders: Orders): SimVenue['onTransaction'] =>
  ({ chainId, txHash, logs = [] }) => {
    const vault = vaultOn(chainId)?.toLowerCase()
    const own = logs.filter(({ address }) => vault !== undefined && address.toLowerCase() === vault)
    const told = own.map((log) => readLog(chainId, log)).filter((each) => each !== null)
    for (const { src, dest, recipient, amount, parameters } of told)
      orders.vaultSwap(
        { src, dest, input: tokenOf(tokens, src), output: tokenOf(tokens, dest) },
        { recipient, txHash, amount },
        parameters,
      )
    return own.length > 0
  }
