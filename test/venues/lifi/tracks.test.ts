import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import { bridgeIn, readCall } from './lifiAbi.ts'
import { openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)

test('status: a transaction of two swaps is reported by the id of the transfer, and another swap is not_found', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.bridged())
  const hash = `0x${'ab'.repeat(32)}`
  const { transactionId: own } = bridgeIn(readCall(transactionOf(swap.execution).data))
  const other = `0x${'1'.repeat(64)}`
  const receiving = { chainId: 42161, txHash: `0x${'cd'.repeat(32)}`, amount: '249317291' }
  const followed = async (transactionIdFor: (asked: string | null) => string) => {
    const { venue, asked } = told(bench, {
      instead: ({ query }) => {
        const transactionId = transactionIdFor(query.get('transactionId'))
        return { body: { status: 'DONE', substatus: 'COMPLETED', receiving, transactionId } }
      },
    })
    const { state } = await track(venue, hash, swap)
    return [state, ...asked.map(({ query }) => query.get('transactionId'))]
  }
  expect(await followed(() => own.toUpperCase().replace('0X', '0x'))).toEqual(['success', null])
  // The first answer is of the other swap of the transaction.
  expect(await followed((asked) => asked ?? other)).toEqual(['success', null, own])
  expect(await followed(() => other)).toEqual(['not_found', null, own])
})
