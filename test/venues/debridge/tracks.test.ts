import { expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import { createdBy } from './abi.ts'
import { openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)

const [PAID, FILL] = [`0x${'51'.repeat(32)}`, `0x${'f1'.repeat(32)}`]
const wrapped = (stringValue: string) => ({ stringValue })
const by = (hash: string) => ({ transactionHash: wrapped(hash) })

/** A swap that was built, and what the tracking API has at its paths. */
const built = async () => {
  const answers: { [path: string]: object } = {}
  const { venue, asked } = told(await open(), {
    instead: ({ path }) => (path.startsWith('/api/') ? { status: path in answers ? 200 : 404, body: answers[path] ?? {} } : null),
  })
  const swap = await swapOf(venue, orders.usdc())
  const tell = (id: string, state: string, more: object = {}) => {
    answers[`/api/Orders/${id}`] = { orderId: wrapped(id), state, createdSrcEventMetadata: by(PAID), ...more }
  }
  return { swap, answers, tell, asked, follow: (ref: string) => track(venue, ref, swap) }
}

test('status: an order is found by its id and by its transaction, in any case', async () => {
  const { swap, tell, asked, follow } = await built()
  const orderId = swap.execution.venueRef ?? ''
  tell(orderId, 'Created')
  for (const ref of [orderId, PAID].flatMap((text) => [text, text.toUpperCase().replace('0X', '0x')]))
    expect((await follow(ref)).state).toBe('processing')
  const paths = asked.map(({ path }) => path).filter((path) => path.startsWith('/api'))
  expect(new Set(paths)).toEqual(new Set([`/api/Orders/${orderId}`]))
})

test('status: an order created by a transaction of another sender is found by its fields and maker', async () => {
  const { swap, answers, tell, follow } = await built()
  const own = createdBy({ ...transactionOf(swap.execution), from: WALLETS.evmOther }).orderId
  const strange = `0x${'cd'.repeat(32)}`
  answers[`/api/Transaction/${PAID}/orderIds`] = { orderIds: [wrapped(strange), wrapped(own)] }
  tell(strange, 'Created', { makerSrc: wrapped(WALLETS.evmOther) })
  expect((await follow(PAID)).state).toBe('pending')
  tell(own, 'Fulfilled', { makerSrc: wrapped(WALLETS.evmOther), fulfilledDstEventMetadata: by(FILL) })
  expect(await follow(PAID)).toMatchObject({ state: 'success', txHash: FILL })
  // Of another maker its fields come to another id.
  tell(own, 'Fulfilled', { makerSrc: wrapped(WALLETS.evm), fulfilledDstEventMetadata: by(FILL) })
  expect((await follow(PAID)).state).toBe('pending')
})
