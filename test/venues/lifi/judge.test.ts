import { expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { judgeByTypes } from '../../support/typeJudge.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { pay } from '../everyVenue.ts'
import { BY_CCTP, openBench, orders, QUOTE, STATUS } from './support.ts'

const open = closedAfterEach(openBench)

/** LI.FI's own types, with its enums as the texts that they are on the wire. */
const PREAMBLE = [
  "import type { FullStatusData, LiFiStep } from '@lifi/types'",
  [
    'type Wire<T> = T extends string ? `$',
    '{T}` : T extends number | bigint ? number | `$',
    '{T}` : T extends object ? ',
    '{ readonly [K in keyof T]: Wire<T[K]> } : T',
  ].join(''),
  'type Fits<T, K extends keyof T> = Wire<Pick<T, K>>',
]

test('what the simulated venue answers fits the types that LI.FI publishes (@lifi/types 18.4.0)', async () => {
  const bench = await open({ settings: BY_CCTP })
  const swap = await swapOf(bench.venue, orders.bridged())
  const txHash = await pay({ ...bench, chains: undefined as never }, swap)
  const ask = async (path: string, query: { readonly [name: string]: string }) => {
    const call = { method: 'GET', path, query: new URLSearchParams(query), headers: {}, body: undefined, rawBody: '' }
    return JSON.parse(JSON.stringify((await bench.sim.handle(call)).body)) as unknown
  }
  const question = Object.fromEntries(bench.sent[0]?.query ?? [])
  const quoted = await ask(QUOTE, { ...question, fromAddress: WALLETS.evm })
  await bench.schedule.advance(10_000)
  const under = await ask(STATUS, { txHash })
  await bench.schedule.advance(1_200_000)
  const done = await ask(STATUS, { txHash })
  const step = "Fits<LiFiStep, 'id' | 'tool' | 'toolDetails' | 'action' | 'estimate' | 'includedSteps' | 'transactionRequest'>"
  const faults = judgeByTypes(PREAMBLE, [
    [step, quoted],
    ['Wire<FullStatusData>', under],
    ['Wire<FullStatusData>', done],
    [step, { ...(quoted as object), estimate: { toAmount: 1 } }],
  ])
  expect(faults.slice(0, 3)).toEqual([[], [], []])
  expect(faults[3]).not.toEqual([])
})
