import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { encodeCall, keccakHex } from '../../../engine/chains/evm/evmCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { writeCfParameters } from '../../../engine/simnet/venues/chainflip/vaultCalls.ts'
import { readVaultCall } from '../../../engine/venues/chainflip/decode.ts'
import {
  depositAddressOf,
  readCfParameters,
  vaultKeyOf,
  wireAssetNamed,
  X_SWAP_NATIVE,
} from '../../../engine/venues/chainflip/protocol.ts'
import vectors from './vectors.json' with { type: 'json' }

/** Vectors made with @chainflip/scale 2.3.1 and from the tests of chainflip-backend, 2026-08-21. */

const [native, token] = vectors.calls as unknown as readonly [Call, Call]
type Call = {
  readonly to: string
  readonly value: string
  readonly cfParameters: Hex
  readonly calldata: Hex
  readonly inputs: { readonly minPriceX128: string; readonly refundAddress: string; readonly brokerAccountHex: string }
}

const transactionOf = ({ to, value, calldata: data }: Call, chainId: ChainId) => ({
  chainId,
  to: addressOf('evm', to),
  data,
  value: toAmount(BigInt(value)),
})

describe('chainflip vault calldata', () => {
  test('from coins to bitcoin decodes, and encodes to the same bytes', async () => {
    const call = await readVaultCall(transactionOf(native, 1))
    const text = Buffer.from('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh').toString('hex')
    expect(call).toMatchObject({ dstChain: 3, dstAddress: `0x${text}`, dstToken: 5, cfParameters: native.cfParameters })
    expect(call?.input.amount).toBe(10n ** 18n)
    const { minPriceX128, brokerAccountHex, refundAddress } = native.inputs
    const expected = { retryBlocks: 300, minPriceX128: BigInt(minPriceX128) }
    expect(readCfParameters(native.cfParameters)).toEqual({
      ...expected,
      refundTo: addressOf('evm', refundAddress),
      boostBps: 0,
      broker: { account: brokerAccountHex, bps: 0 },
    })
    const written = writeCfParameters({ ...expected, refundTo: refundAddress, brokerBps: 0 }, brokerAccountHex.slice(2))
    expect(written).toBe(native.cfParameters)
    expect(await encodeCall(X_SWAP_NATIVE, 'xSwapNative', [3, `0x${text}`, 5, native.cfParameters])).toBe(native.calldata)
  })

  test('with an oracle price limit or chunks decodes, and is rejected', async () => {
    const call = await readVaultCall(transactionOf(token, 42161))
    expect(call).toMatchObject({ dstChain: 5, dstToken: 9, input: { amount: 500_000_000n } })
    expect(readCfParameters(token.cfParameters)).toBeNull()
  })

  test('with the older parameter version is rejected', () => {
    const body = native.cfParameters.slice(4)
    const older: Hex = `0x00${body.slice(0, 112)}${body.slice(116)}`
    expect((older.length - 2) / 2).toBe(94)
    expect(readCfParameters(older)).toBeNull()
  })

  test('of a Solana instruction is rejected on an EVM chain', () => {
    expect(readCfParameters(vectors.solana.cfParameters as Hex)).toBeNull()
  })
})

const assetOf = (chain: string, symbol: string) => {
  const asset = wireAssetNamed(chain, symbol)
  if (!asset) throw new TypeError('no such asset')
  return asset
}

describe('chainflip channel addresses match the vector', () => {
  test.each(vectors.channels)('$chain $asset $channelId', ({ chain, asset, channelId, address }) => {
    expect(depositAddressOf(assetOf(chain, asset === 'any' ? 'SOL' : asset), BigInt(channelId), null)).toBe(address)
  })

  test('of the node test with another vault', () => {
    const [{ vault = '', channelId = 0, address = '' } = {}] = vectors.official
    const hash = assetOf('Ethereum', 'ETH').depositCodeHash ?? '0x'
    const salt = channelId.toString(16).padStart(64, '0')
    expect(keccakHex(`0xff${vault.slice(2).toLowerCase()}${salt}${hash.slice(2)}`).slice(-40)).toBe(
      address.slice(2).toLowerCase(),
    )
  })

  test.each(vectors.bitcoin)('Bitcoin $channelId', ({ pubkeyX, channelId, address }) => {
    const key = hexToBytes(pubkeyX.toLowerCase())
    // The vault's own address, which has no number, shows its key.
    if (channelId === 0) expect(vaultKeyOf(address)).toEqual(key)
    else expect(depositAddressOf(assetOf('Bitcoin', 'BTC'), BigInt(channelId), key)).toBe(address)
  })

  /** Computed by a second implementation, of which this repository has no copy since 2026-11. */
  test.each(vectors.numbers as unknown as readonly [number, string][])('with the Bitcoin script number %i', (number, address) => {
    const key = hexToBytes('fedbdc04f4666af03167e2ef5fa5405bb012bc62a3b3180088e63972bd06ead8')
    expect(depositAddressOf(assetOf('Bitcoin', 'BTC'), BigInt(number), key)).toBe(address)
  })

  test('except for an invalid channel number', () => {
    const [bitcoin, ether] = [assetOf('Bitcoin', 'BTC'), assetOf('Ethereum', 'ETH')]
    expect([depositAddressOf(bitcoin, 0n, new Uint8Array(32)), depositAddressOf(bitcoin, 2n ** 32n, new Uint8Array(32))]).toEqual(
      [null, null],
    )
    expect([depositAddressOf(bitcoin, 5n, null), depositAddressOf(ether, 2n ** 64n, null)]).toEqual([null, null])
  })
})
