import { type Hex, keccak256, toEventHash, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { CLIENT_DATA, SWAP_ABI, SWAPPED } from '../../../engine/venues/kyberswap/protocol.ts'
import type { Recorded } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import { readCall, writeCall } from './routerAbi.ts'

const ALL = [...recordings.built, recordings.constructed] as unknown as readonly Recorded[]

describe.each(ALL)('kyberswap recording $name', (vector) => {
  test('decodes, and encodes to the same bytes', () => {
    const execution = readCall(vector.data)
    expect(writeCall(execution)).toBe(vector.data)
    expect(execution.desc).toMatchObject({ flags: BigInt(vector.flags), minReturnAmount: BigInt(vector.minimum) })
    // What the venue calls the expected output, and the tolerance, come to the least.
    expect((BigInt(vector.built) * BigInt(10_000 - vector.slippageBps)) / 10_000n).toBe(BigInt(vector.minimum))
    const [head = '', tail = ''] = vector.keccak ?? []
    const hash = keccak256(vector.data as Hex)
    expect([hash.startsWith(head), hash.endsWith(tail)]).toEqual([true, true])
  })
})

test('kyberswap: selector and event topics equal the published ones', () => {
  expect([SWAPPED[0], CLIENT_DATA[0]].map(toEventHash)).toEqual([
    '0xd6d4f5681c246c9f42c203e287975af1601f8df8035a9251f79aab5c8f09e2f8',
    '0x095e66fa4dd6a6f7b43fb8444a7bd0edb870508c7abf639bc216efb0bcff9779',
  ])
  expect(toFunctionSelector(SWAP_ABI[0])).toBe('0xe21fd0e9')
})
