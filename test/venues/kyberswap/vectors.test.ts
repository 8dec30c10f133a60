import { type Hex, keccak256, toEventHash, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseAsset } from '../../../engine/core/asset.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { cannedBy, orderOf, type Recorded } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import { EVENTS, readCall, SWAP_ABI, writeCall } from './routerAbi.ts'
import { FEE_RECIPIENT, openBench, orders, ROUTER, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

const ALL = [...recordings.built, recordings.constructed] as unknown as readonly Recorded[]

describe.each(ALL)('$name', (vector) => {
  test('is built into what was recorded, and read back to the word', async () => {
    const { venue } = cannedBy(vector)
    const order = orderOf(vector)
    const { execution } = await swapOf(venue, order)
    const { data, to, value } = transactionOf(execution)
    expect([data, to]).toEqual([vector.data, ROUTER])
    expect(value).toBe(/^0x(ee)+$/i.test(vector.from[1]) ? BigInt(vector.amount) : 0n)
    const claims = await venue.decode(execution)
    const [input, output] = [parseAsset(...vector.from), parseAsset(...vector.to)]
    expect(claims).toMatchObject({ pays: ROUTER, nativeFee: 0n, deadlineAt: null, refundTo: null, unread: [] })
    expect([claims.input, claims.output]).toEqual([
      { asset: input, amount: BigInt(vector.amount) },
      { asset: output, minimum: BigInt(vector.minimum) },
    ])
    expect(claims.spender).toBe(value > 0n ? null : ROUTER)
    expect(said(claims.recipient)).toBe(order.recipient)
    expect(said(claims.fee)).toEqual(vector.fee && { bps: vector.fee.bps, recipient: venue.profile.feeRecipient(order) })
  })

  test('is what its words come to when they are put together again', () => {
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

test('the simulator writes calls that viem reads by the published ABI, with flags that were seen', async () => {
  const bench = await open({ settings: WITH_FEE })
  const { execution } = await swapOf(bench.venue, orders.usdc({ feeBps: 15 }))
  const { desc } = readCall(transactionOf(execution).data)
  expect(desc).toMatchObject({ feeReceivers: [FEE_RECIPIENT], feeAmounts: [15n], flags: 0x2c0n, amount: 1_000_000_000n })
  const plain = await swapOf(bench.venue, orders.ether())
  expect(readCall(transactionOf(plain.execution).data).desc).toMatchObject({ srcReceivers: [], srcAmounts: [], flags: 0x280n })
})

test('selector and topics are the published ones', () => {
  expect([EVENTS[0], EVENTS[2]].map(toEventHash)).toEqual([
    '0xd6d4f5681c246c9f42c203e287975af1601f8df8035a9251f79aab5c8f09e2f8',
    '0x095e66fa4dd6a6f7b43fb8444a7bd0edb870508c7abf639bc216efb0bcff9779',
  ])
  expect(toFunctionSelector(SWAP_ABI[0])).toBe('0xe21fd0e9')
})
