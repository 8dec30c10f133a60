import { beforeAll, describe, expect, test } from 'vitest'
import type { Execution } from '../../../engine/core/execution.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, alteredBy, prove, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import mutations from './mutations.json' with { type: 'json' }
import { bitcoinToBase, FEE_ACCOUNT, LIARS_KEY, type NearIntentsBench, openBench, signAsLiar, told } from './support.ts'

const refuses = countMutations('near-intents')

type Words = Record<string, string | number | boolean>
type Change = readonly (readonly [path: string, value: unknown])[]

let bench: NearIntentsBench
let swap: Swap
let words: Words
/** Signed again by a key the adapter trusts, so that the check of what was altered is what refuses it. */
let resigned: (change: Change) => Promise<readonly string[]>
beforeAll(async () => {
  bench = await openBench({ settings: { FEE_ACCOUNT, REFERRAL: 'acme' } })
  swap = await swapOf(bench.venue, bitcoinToBase({ feeBps: 30 }))
  words = (swap.execution.evidence as unknown as { words: Words }).words
  const { venue } = told(bench, {}, { settings: { FEE_ACCOUNT, PUBLIC_KEY: LIARS_KEY } })
  resigned = (change) => {
    const changed = alteredBy(swap.execution.evidence as unknown as { words: Words }, change)
    const evidence = { ...changed, signature: signAsLiar(changed.words) } as unknown as Execution['evidence']
    return prove(venue, swap, { ...swap.execution, evidence })
  }
  return () => bench.close()
})

const objectionsTo = (path: string, value: unknown) => prove(bench.venue, swap, altered(swap.execution, path, value))
const named = (objections: readonly string[]) => objections.map((one) => one.replace(/^undecodable:.*/, 'undecodable'))
const other = (word: string | number | boolean | undefined) =>
  typeof word === 'boolean' ? !word : typeof word === 'number' ? word + 1 : `${word}0`

test('proof: accepts the unaltered deposit, also when signed again', async () => {
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(await resigned([])).toEqual([])
})

describe('proof: rejects an altered payload or evidence:', () => {
  test('each signed field, altered, removed or null', async () => {
    expect(Object.keys(words)).toHaveLength(28)
    for (const word of Object.keys(words))
      for (const value of [other(words[word]), undefined, null]) {
        const objections = refuses(`${word} = ${value}`, await objectionsTo(`evidence.words.${word}`, value))
        expect(objections, word).toEqual([expect.stringMatching(/^undecodable/)])
      }
  })

  test.each([
    ['deposit.amount', 'payload.deposit.amount', 1_000_001n],
    ['deposit.amount', 'payload.deposit.amount', 999_999n],
    ...(mutations.built as [string, string, unknown][]),
  ])('%s by %s', async (name, path, value) => {
    expect(altered(swap.execution, path, value)).not.toEqual(swap.execution)
    expect(named(refuses(path, await objectionsTo(path, value)))).toContain(name)
  })

  test('the last digit of the signature', async () => {
    const { signature } = swap.execution.evidence as { signature: string }
    const changed = signature.replace(/.$/, (last) => (last === '2' ? '3' : '2'))
    expect(named(refuses('signature', await objectionsTo('evidence.signature', changed)))).toEqual(['undecodable'])
  })

  test.each([{}, { amount: 1_000_001n }, { recipient: WALLETS.evm }])(
    'the complete signed evidence of another swap: %o',
    async (wish) => {
      const theirs = await swapOf(bench.venue, bitcoinToBase({ feeBps: 30, ...wish }))
      expect(refuses('evidence', await objectionsTo('evidence', theirs.execution.evidence))).toContain('deposit.address')
    },
  )
})

test.each(mutations.signed as unknown as [string, Words][])(
  'proof: names the check for an answer signed with other terms than quoted: %s by %j',
  async (name, changed) => {
    const objections = refuses(name, await resigned(Object.entries(changed).map(([word, value]) => [`words.${word}`, value])))
    expect(named(objections)).toContain(name)
    expect(objections.join()).not.toContain('signature')
  },
)
