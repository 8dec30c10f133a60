import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionData, encodeFunctionResult, getAddress, type Hex, multicall3Abi } from 'viem'
import * as viemChains from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { decodeAggregate3, encodeAggregate3, MULTICALL3_ADDRESSES } from '../../../engine/chains/evm/multicall3.ts'
import { CHAIN_IDS, isEvmChainId } from '../../../engine/core/chain.ts'

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const someBytes = (most: number) => fc.uint8Array({ maxLength: most }).map(hex)
const someAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(hex(bytes)))

describe('the table of Multicall3', () => {
  it.each(CHAIN_IDS.filter(isEvmChainId))('is what viem has for chain %i', (chainId) => {
    const known = Object.values(viemChains)
      .filter(({ id }) => id === chainId)
      .map(({ contracts }) => (contracts as { multicall3?: { address: string } } | undefined)?.multicall3?.address)
      .filter((address) => address !== undefined)
    expect(known.length).toBeGreaterThan(0)
    expect(known.map((address) => getAddress(address))).toContain(MULTICALL3_ADDRESSES[chainId])
  })
})

describe('a batch', () => {
  it('is encoded as viem encodes it', () => {
    const someCalls = fc.array(fc.record({ target: someAddress, data: someBytes(200) }), { maxLength: 20 })
    fc.assert(
      fc.property(someCalls, (calls) => {
        const args = [calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))] as const
        const encoded = encodeAggregate3(calls)
        expect(encoded).toBe(encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args }))
        expect(decodeFunctionData({ abi: multicall3Abi, data: encoded }).functionName).toBe('aggregate3')
      }),
    )
  })

  it('is answered by what its calls returned, in order; what failed or returned nothing is null', () => {
    const someResults = fc.array(fc.record({ success: fc.boolean(), returnData: someBytes(300) }), { maxLength: 20 })
    fc.assert(
      fc.property(someResults, (result) => {
        const data = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
        expect(decodeAggregate3(data, result.length)).toEqual(
          result.map(({ success, returnData }) => (success && returnData !== '0x' ? returnData : null)),
        )
        expect(decodeAggregate3(data, result.length + 1)).toBeNull()
      }),
    )
  })

  it('is not answered by an answer that breaks off', () => {
    const result = [
      { success: true, returnData: `0x${'ab'.repeat(40)}` },
      { success: true, returnData: `0x${'cd'.repeat(32)}` },
    ] as const
    const data = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
    for (let bytes = 0; 2 + bytes * 2 < data.length; bytes += 1)
      expect(decodeAggregate3(data.slice(0, 2 + bytes * 2), 2)).toBeNull()
  })

  it.each([undefined, null, 7, {}, '', '0x', '0x0', 'text', `0x${'zz'.repeat(64)}`, `0x${'ff'.repeat(256)}`])(
    'is not answered by %j',
    (answer) => {
      expect(decodeAggregate3(answer, 1)).toBeNull()
    },
  )

  it('is never answered in any other way than by nothing or by as many answers', () => {
    fc.assert(
      fc.property(someBytes(500), fc.integer({ min: 1, max: 5 }), (data, count) => {
        const answers = decodeAggregate3(data, count)
        expect(answers === null || answers.length === count).toBe(true)
      }),
    )
  })
})
