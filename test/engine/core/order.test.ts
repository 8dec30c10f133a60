import fc from 'fast-check'
import { decodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { addressOf, placeholderAddress } from '../../../engine/core/address.ts'
import { bpsOf, MAX_AMOUNT, parseAmount, toAmount } from '../../../engine/core/amount.ts'
import { buildApproval } from '../../../engine/core/approval.ts'
import { NATIVE, NATIVE_SOL, nativeAsset, parseAsset } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, CHAINS, type ChainId, chainOf, ecosystemOf, isChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import { type Order, resolveParties } from '../../../engine/core/order.ts'
import { type RouteType, routeTypeOf } from '../../../engine/core/route.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor } from '../../support/fakeVenue.ts'

const amounts = fc.bigInt({ min: 0n, max: MAX_AMOUNT })

it.each<[ChainId, string, string | null]>([
  [1, NATIVE, NATIVE],
  [1, NATIVE.toLowerCase(), NATIVE],
  [1, TOKENS.usdcEthereum.address.toLowerCase(), TOKENS.usdcEthereum.address],
  [1, '0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', null],
  [1, 'BTC', null],
  [-1, NATIVE, NATIVE],
  [-1, 'BTC', NATIVE],
  [-1, 'btc', NATIVE],
  [-1, TOKENS.usdcEthereum.address, null],
  [-2, NATIVE_SOL, NATIVE_SOL],
  [-2, TOKENS.usdcSolana.address, TOKENS.usdcSolana.address],
  [-2, NATIVE, null],
  [-2, 'SOL', null],
])('order: a token on %i written as %s is read as %s [quote-native-markers]', (chainId, raw, address) => {
  expect(parseAsset(chainId, raw)).toEqual(address === null ? null : { chainId, address })
})

it('order: there are sixteen chains, each of one ecosystem, and no others [quote-native-markers]', () => {
  expect(CHAINS.map(({ chainId }) => chainId).sort()).toEqual([...CHAIN_IDS].sort())
  expect(new Set(CHAINS.map(({ shortName }) => shortName)).size).toBe(16)
  for (const chainId of CHAIN_IDS) {
    const { wrappedNative, explorerUrl, ...chain } = chainOf(chainId)
    expect(chain.chainId).toBe(chainId)
    expect(ecosystemOf(chainId)).toBe(chainId === -1 ? 'bitcoin' : chainId === -2 ? 'solana' : 'evm')
    expect(isEvmChainId(chainId)).toBe(chainId > 0)
    if (wrappedNative !== null) expect(addressOf('evm', wrappedNative)).toBe(wrappedNative)
    expect(explorerUrl).toMatch(/^https:\/\/[^/]+$/)
  }
  for (const value of [0, 2, -3, 1.5, Number.NaN, 100, 11155111]) expect(isChainId(value)).toBe(false)
  expect(() => chainOf(5 as ChainId)).toThrow(RangeError)
})

it.each<[ChainId, ChainId, RouteType, Order['unnamed']]>([
  [1, 1, 'EVM_SAME_CHAIN', []],
  [1, 10, 'EVM_CROSS_CHAIN', []],
  [-2, -2, 'SOLANA_SAME_CHAIN', []],
  [1, -2, 'CROSS_ECOSYSTEM', ['recipient']],
  [1, -1, 'NATIVE_BITCOIN', ['recipient']],
  [-1, -2, 'NATIVE_BITCOIN', ['recipient', 'refundTo']],
  [-1, -1, 'NATIVE_BITCOIN', ['refundTo']],
])(
  'order: parties left out from %i to %i (%s) default to the sender where possible; missing: %j [quote-native-markers]',
  (from, to, type, unnamed) => {
    const route = { input: nativeAsset(from), output: nativeAsset(to) }
    const sender = WALLETS[ecosystemOf(from)]
    const given = { recipient: addressFor(ecosystemOf(to), 'me there'), refundTo: addressFor(ecosystemOf(from), 'me here') }
    const recipient = unnamed.includes('recipient') ? placeholderAddress(ecosystemOf(to)) : sender
    expect(routeTypeOf(route)).toBe(type)
    expect(resolveParties(route, sender, { recipient: null, refundTo: null })).toEqual({ recipient, refundTo: sender, unnamed })
    expect(resolveParties(route, sender, given)).toEqual({ ...given, unnamed: [] })
    expect(resolveParties(route, sender, { ...given, refundTo: null })).toEqual({
      recipient: given.recipient,
      refundTo: sender,
      unnamed: unnamed.filter((party) => party === 'refundTo'),
    })
  },
)

it('order: an approval is `approve(spender, amount)` of exactly the amount, after a reset to 0 where the token needs one', () => {
  fc.assert(
    fc.property(amounts, fc.string(), fc.boolean(), (amount, text, needsReset) => {
      const spender = addressFor('evm', text)
      const approval = buildApproval(TOKENS.usdtEthereum, spender, toAmount(amount), needsReset)
      const read = (data: string) => decodeFunctionData({ abi: erc20Abi, data: data as `0x${string}` })
      expect(read(approval.transaction.data)).toEqual({ functionName: 'approve', args: [spender, amount] })
      expect(approval).toMatchObject({ token: TOKENS.usdtEthereum.address, spender, amount })
      expect(approval.transaction).toMatchObject({ chainId: 1, to: TOKENS.usdtEthereum.address, value: 0n })
      expect(approval.reset !== null).toBe(needsReset)
      if (approval.reset) expect(read(approval.reset.data)).toEqual({ functionName: 'approve', args: [spender, 0n] })
    }),
  )
})

it('amount: a decimal integer as text is read exactly, and every other form of the same number is rejected [quote-amount-text-only]', () => {
  fc.assert(
    fc.property(amounts, (value) => {
      expect(parseAmount(`${value}`)).toBe(value)
      const [hex, binary] = [`0x${value.toString(16)}`, `0b${value.toString(2)}`]
      const forms = [`0${value}`, `+${value}`, `-${value}`, ` ${value}`, `${value} `, `${value}\n`, `${value}.0`, `${value}.`]
      for (const other of [...forms, `${value}n`, `${value}e0`, hex, binary]) expect(parseAmount(other)).toBeNull()
    }),
  )
  for (const value of [1, 1n, 0, Number.NaN, true, null, undefined, {}, ['1'], new String('1'), '', '\u0661', '１', '1_000'])
    expect(parseAmount(value)).toBeNull()
})

it('amount: the largest is 2^256 - 1', () => {
  expect(MAX_AMOUNT).toBe(BigInt(`0x${'ff'.repeat(32)}`))
  expect(parseAmount(`${MAX_AMOUNT}`)).toBe(MAX_AMOUNT)
  for (const text of [`${MAX_AMOUNT + 1n}`, '9'.repeat(78), '1'.repeat(100_000)]) expect(parseAmount(text)).toBeNull()
  expect(toAmount(MAX_AMOUNT)).toBe(MAX_AMOUNT)
  for (const value of [MAX_AMOUNT + 1n, -1n]) expect(() => toAmount(value)).toThrow(RangeError)
})

it('amount: a share in basis points is rounded down, by less than one unit', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
      const fee = bpsOf(amount, bps)
      expect(fee * 10_000n <= amount * BigInt(bps) && (fee + 1n) * 10_000n > amount * BigInt(bps)).toBe(true)
    }),
  )
  expect(() => bpsOf(1n, 0.5)).toThrow(RangeError)
})
