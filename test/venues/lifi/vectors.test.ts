import { type Hex, toEventHash, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import abi from './abi.json' with { type: 'json' }
import { CALLS, EVENTS, readCall, writeCall } from './lifiAbi.ts'
import { cannedBy, orderOf, type Row } from './recordedAnswers.ts'
import vectors from './vectors.json' with { type: 'json' }

const ROWS = vectors.vectors.map((vector) => ({ vector, ...vector, ...(vector.asked as unknown as Row) }))

test('lifi: rejects Mayan orders, which it does not decode', async () => {
  const [row] = ROWS.filter(({ asked }) => 'refusedWith' in asked)
  if (!row) throw new TypeError('no such vector')
  await expect(swapOf(cannedBy(row).venue, orderOf(row))).rejects.toThrow('fixes neither recipient nor least amount')
})

describe.each(ROWS.filter(({ asked }) => !('refusedWith' in asked)))('lifi recording $name', (row) => {
  const { vector, calldata: data } = row

  test('is returned unchanged, and decodes', async () => {
    const { venue } = cannedBy(row)
    const swap = await swapOf(venue, orderOf(row))
    expect(transactionOf(swap.execution)).toMatchObject({ data, to: vector.to, value: 0n })
    const claims = await venue.decode(swap.execution)
    expect(claims).toMatchObject({ input: { amount: BigInt(row.amount) }, recipient: row.recipient, fee: null, unread: [] })
    expect(claims.output.minimum).toBe(BigInt(row.minimum))
    expect(claims.deadlineAt).toBe(row.fees === '0' ? null : 1_790_021_600_000)
  })

  test('encodes to the same bytes', () => {
    const call = readCall(data)
    expect(writeCall(call)).toBe(data)
    const { bridgeData, facetData } = vector as { bridgeData?: object; facetData?: object }
    if (bridgeData)
      expect(call.args['bridgeData']).toMatchObject(
        JSON.parse(JSON.stringify(bridgeData), (name, value) => (/Amount$|ChainId$/.test(name) ? BigInt(value) : value)),
      )
    if (facetData)
      expect(call.args['data']).toMatchObject(
        JSON.parse(JSON.stringify(facetData), (name, value) => (/^output/.test(name) ? BigInt(value) : value)),
      )
  })
})

test('lifi: function selectors and event topics equal those on chain', () => {
  const selectors = Object.fromEntries(
    CALLS.flatMap((item) => (item.type === 'function' ? [[item.name, toFunctionSelector(item)]] : [])),
  )
  expect(selectors).toEqual(abi.seenSelectors)
  const topics = EVENTS.flatMap((item): readonly Hex[] => (item.type === 'event' ? [toEventHash(item)] : []))
  expect(topics).toEqual(expect.arrayContaining(abi.seenTopics))
})
