import { parseAbi } from 'abitype'
import { describe, expect, test } from 'vitest'
import { eventsBy, readEvent, readEventBy } from '../../../engine/chains/evm/eventLogs.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'

const PAID = parseAbi(['struct Sum { uint256 amount; bytes note; }', 'event Paid(address indexed by, uint32 number, Sum sum)'])
const OTHER = parseAbi(['event Other(uint256 value)'])
const CONTRACT = WALLETS.evmOther
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const fields = (number: number) => ({ by: WALLETS.evm, number, sum: { amount: 5n, note: '0xab' } })
const paid = (number: number, contract: string = CONTRACT) => eventLog(PAID, 'Paid', contract, fields(number))
const other = eventLog(OTHER, 'Other', CONTRACT, { value: 1n })
const logsOf = (...logs: Parameters<typeof seenEvm>[1]) => seenEvm(8453, logs, { first: 3 }).logs

describe('the events of a contract', () => {
  test('are told by their fields, in the places of their logs, among what was logged before and after', async () => {
    const logs = logsOf(other, paid(1), other, other, paid(2), other)
    const told = await eventsBy(CONTRACT, PAID, logs)
    expect(told.map(({ place, event }) => ({ place, event }))).toEqual([
      { place: 'log:4', event: fields(1) },
      { place: 'log:7', event: fields(2) },
    ])
    const indexes = told.map(({ log, before, after }) => [
      log.index,
      before.map(({ index }) => index),
      after.map(({ index }) => index),
    ])
    expect(indexes).toEqual([
      [4, [3], [5, 6]],
      [7, [5, 6], [8]],
    ])
  })

  test('are none of another contract, which stand among the logs around them', async () => {
    const logs = logsOf(paid(1, STRANGER), paid(2), paid(3, STRANGER))
    const told = await eventsBy(CONTRACT, PAID, logs)
    expect(told.map(({ event, before, after }) => [event.number, before.length, after.length])).toEqual([[2, 1, 1]])
    expect(await readEventBy(CONTRACT, PAID, logs[0] as (typeof logs)[0])).toBeNull()
  })

  test('are none of another kind, without topics, or cut short', async () => {
    const [log] = logsOf(paid(1))
    if (!log) throw new Error('no log')
    expect(await readEvent(PAID, log)).toEqual(fields(1))
    expect(await readEvent(OTHER, log)).toBeNull()
    expect(await readEvent(PAID, { ...log, topics: [] })).toBeNull()
    expect(await readEvent(PAID, { ...log, topics: log.topics.slice(0, 1) })).toBeNull()
    expect(await readEvent(PAID, { ...log, data: log.data.slice(0, -64) as `0x${string}` })).toBeNull()
    expect(await readEvent(PAID, { ...log, data: '0x' })).toBeNull()
  })
})
