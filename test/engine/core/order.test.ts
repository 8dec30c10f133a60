import { inspect } from 'node:util'
import fc from 'fast-check'
import { decodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { addressOf, placeholderAddress } from '../../../engine/core/address.ts'
import { MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import { buildApproval } from '../../../engine/core/approval.ts'
import { isNative, isSameAsset, NATIVE, NATIVE_SOL, nativeAsset, nativeToken, parseAsset } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, CHAINS, type ChainId, chainOf, ecosystemOf, isChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { type Order, resolveParties } from '../../../engine/core/order.ts'
import { routeTypeOf } from '../../../engine/core/route.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, TOY_CONTRACT } from '../../support/fakeVenue.ts'

describe('a token as a client writes it [quote-native-markers]', () => {
  it.each<[ChainId, string, string | null]>([
    [1, NATIVE, NATIVE],
    [1, NATIVE.toLowerCase(), NATIVE],
    [1, '0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE', NATIVE],
    [1, '0xeEeEeEeEeEeEeEeEeEeEeEeEeEeEeEeEeEeEeEeE', NATIVE],
    [1, TOKENS.usdcEthereum.address.toLowerCase(), TOKENS.usdcEthereum.address],
    [1, '0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', null],
    [1, 'ETH', null],
    [1, 'BTC', null],
    [1, TOKENS.usdcSolana.address, null],
    [-1, NATIVE, NATIVE],
    [-1, NATIVE.toUpperCase().replace('0X', '0x'), NATIVE],
    [-1, 'BTC', NATIVE],
    [-1, 'btc', NATIVE],
    [-1, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', null],
    [-1, TOKENS.usdcEthereum.address, null],
    [-1, '', null],
    [-2, NATIVE_SOL, NATIVE_SOL],
    [-2, TOKENS.usdcSolana.address, TOKENS.usdcSolana.address],
    [-2, NATIVE, null],
    [-2, 'SOL', null],
    [-2, 'So1111...1112', null],
    [-2, '', null],
  ])('on %i: %s', (chainId, raw, address) => {
    expect(parseAsset(chainId, raw)).toEqual(address === null ? null : { chainId, address })
  })

  it('is the native coin only by its marker on that chain', () => {
    expect(isNative(assetOf(1, NATIVE)) && isNative(assetOf(-1, 'BTC')) && isNative(assetOf(-2, NATIVE_SOL))).toBe(true)
    expect(isNative(TOKENS.usdcEthereum) || isNative(TOKENS.usdcSolana)).toBe(false)
    expect(isSameAsset(nativeAsset(1), nativeAsset(10))).toBe(false)
    expect(isSameAsset(nativeAsset(1), assetOf(1, NATIVE.toLowerCase()))).toBe(true)
  })

  it('needs no chain read when it is the native coin', () => {
    expect(nativeToken(-1)).toEqual({ chainId: -1, address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8, isNative: true })
    expect(nativeToken(-2)).toMatchObject({ address: NATIVE_SOL, symbol: 'SOL', decimals: 9 })
    expect(nativeToken(137)).toMatchObject({ address: NATIVE, symbol: 'POL', decimals: 18 })
  })
})

describe('the chains [quote-native-markers]', () => {
  it('are sixteen, each with one entry and one ecosystem', () => {
    expect(CHAINS.map(({ chainId }) => chainId).sort()).toEqual([...CHAIN_IDS].sort())
    expect(new Set(CHAINS.map(({ shortName }) => shortName)).size).toBe(16)
    for (const chainId of CHAIN_IDS) {
      expect(chainOf(chainId).chainId).toBe(chainId)
      expect(ecosystemOf(chainId)).toBe(chainId === -1 ? 'bitcoin' : chainId === -2 ? 'solana' : 'evm')
      expect(isEvmChainId(chainId)).toBe(chainId > 0)
      const { wrappedNative, explorerUrl } = chainOf(chainId)
      if (wrappedNative !== null) expect(addressOf('evm', wrappedNative)).toBe(wrappedNative)
      expect(explorerUrl).toMatch(/^https:\/\/[^/]+$/)
    }
  })

  it('are no others', () => {
    for (const value of [0, 2, -3, 1.5, Number.NaN, 100, 11155111]) expect(isChainId(value)).toBe(false)
    expect(() => chainOf(5 as ChainId)).toThrow(RangeError)
  })
})

describe('who takes part in a swap [quote-native-markers]', () => {
  const route = (from: ChainId, to: ChainId) => ({ input: nativeAsset(from), output: nativeAsset(to) })
  const named = { recipient: null, refundTo: null }

  it.each<[string, ChainId, ChainId, Order['unnamed']]>([
    ['the sender, within one ecosystem', 1, 10, []],
    ['the sender, on Solana', -2, -2, []],
    ['a placeholder on Solana', 1, -2, ['recipient']],
    ['a placeholder on EVM', -2, 1, ['recipient']],
    ['a placeholder on Bitcoin', 1, -1, ['recipient']],
    ['a placeholder on EVM, and a refund address to name, from Bitcoin', -1, 1, ['recipient', 'refundTo']],
  ])('is %s when nobody is named', (_what, from, to, unnamed) => {
    const sender = WALLETS[ecosystemOf(from)]
    const recipient = unnamed.includes('recipient') ? placeholderAddress(ecosystemOf(to)) : sender
    expect(resolveParties(route(from, to), sender, named)).toEqual({ recipient, refundTo: sender, unnamed })
  })

  it('is whoever was named, and then nobody is missing', () => {
    for (const [from, to] of [
      [1, 10],
      [1, -2],
      [-2, 1],
      [-1, 1],
      [1, -1],
      [-2, -2],
    ] as const) {
      const given = { recipient: addressFor(ecosystemOf(to), 'me there'), refundTo: addressFor(ecosystemOf(from), 'me here') }
      expect(resolveParties(route(from, to), WALLETS[ecosystemOf(from)], given)).toEqual({ ...given, unnamed: [] })
    }
  })

  it('from Bitcoin still owes the refund address when only the recipient is named', () => {
    expect(resolveParties(route(-1, 1), WALLETS.bitcoin, { recipient: WALLETS.evm, refundTo: null })).toEqual({
      recipient: WALLETS.evm,
      refundTo: WALLETS.bitcoin,
      unnamed: ['refundTo'],
    })
  })

  it('is told apart by the kind of route', () => {
    expect(routeTypeOf(route(1, 1))).toBe('EVM_SAME_CHAIN')
    expect(routeTypeOf(route(1, 10))).toBe('EVM_CROSS_CHAIN')
    expect(routeTypeOf(route(-2, -2))).toBe('SOLANA_SAME_CHAIN')
    expect(routeTypeOf(route(1, -2))).toBe('CROSS_ECOSYSTEM')
    for (const [from, to] of [
      [-1, 1],
      [1, -1],
      [-1, -2],
      [-1, -1],
    ] as const)
      expect(routeTypeOf(route(from, to))).toBe('NATIVE_BITCOIN')
  })
})

describe('an approval', () => {
  it('is exactly `approve(spender, amount)` on the token, as any decoder reads it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), fc.string(), fc.boolean(), (amount, text, needsReset) => {
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

  it('is never more than the amount of one swap', () => {
    expect(buildApproval(assetOf(...pair(TOKENS.usdcBase)), TOY_CONTRACT, toAmount(5n), false).amount).toBe(5n)
  })
})

describe('a secret', () => {
  it('is told to whoever asks for it by name, and shown to nobody', () => {
    const secret = new Secret('hunter2')
    expect(secret.reveal()).toBe('hunter2')
    expect([
      `${secret}`,
      secret.toString(),
      JSON.stringify([secret]),
      inspect(secret),
      inspect({ a: [secret] }, { showHidden: true }),
      JSON.stringify({ ...secret }),
      Object.keys(secret).join(),
    ]).toEqual(['[secret]', '[secret]', '["[secret]"]', '[secret]', '{ a: [ [secret], [length]: 1 ] }', '{}', ''])
  })
})

describe('the clock', () => {
  it("is the system's unless another is given", () => {
    const before = Date.now()
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
  })
})
