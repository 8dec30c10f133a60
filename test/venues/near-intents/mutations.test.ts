import { beforeAll, describe, expect, test } from 'vitest'
import type { Execution } from '../../../engine/core/execution.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, alteredBy, prove, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import {
  bitcoinToBase,
  FEE_ACCOUNT,
  LIARS_KEY,
  type NearIntentsBench,
  openBench,
  signAsLiar,
  told,
  VENUE_FEE_ACCOUNT,
} from './support.ts'

const OTHER_BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
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

test('what is built passes before anything is altered, and signed again it does', async () => {
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(await resigned([])).toEqual([])
})

describe('an altered payload or evidence is refused:', () => {
  test('each signed word, altered, left out or made null', async () => {
    expect(Object.keys(words)).toHaveLength(28)
    for (const word of Object.keys(words))
      for (const value of [other(words[word]), undefined, null]) {
        const objections = refuses(`${word} = ${value}`, await objectionsTo(`evidence.words.${word}`, value))
        expect(objections, word).toEqual([expect.stringMatching(/^undecodable/)])
      }
  })

  const APP_FEE = { recipient: FEE_ACCOUNT, fee: 30 }
  const VENUES = { recipient: VENUE_FEE_ACCOUNT, fee: 20 }
  const MALLORYS = { recipient: 'mallory.near', fee: 1 }
  test.each<[string, string, unknown]>([
    ['deposit.chainId', 'payload.deposit.chainId', 1],
    ['deposit.address', 'payload.deposit.address', OTHER_BITCOIN],
    ['deposit.address', 'payload.deposit.address', WALLETS.bitcoin],
    ['deposit.amount', 'payload.deposit.amount', 1_000_001n],
    ['deposit.amount', 'payload.deposit.amount', 999_999n],
    ['undecodable', 'payload.executionType', 'TRANSACTION'],
    ['undecodable', 'evidence.signature', `ed25519:${'2'.repeat(86)}`],
    ['undecodable', 'evidence.signature', ''],
    ['undecodable', 'evidence.v', 2],
    ['undecodable', 'evidence.words.depositMemo', '77'],
    ['undecodable', 'evidence.words.customRecipientMsg', 'run this'],
    ['undecodable', 'evidence.order', { recipient: WALLETS.evm }],
    ['undecodable', 'evidence', null],
    ['undecodable', 'evidence', 'signed'],
    ['fee', 'evidence.appFees', []],
    ['fee', 'evidence.appFees', [VENUES]],
    ['fee', 'evidence.appFees', [{ ...APP_FEE, recipient: 'mallory.near' }, VENUES]],
    ['fee.amount', 'evidence.appFees', [{ ...APP_FEE, fee: 31 }, VENUES]],
    ['fee', 'evidence.appFees', [{ ...APP_FEE, fee: 0 }, VENUES]],
    ['unread: more than one integrator fee', 'evidence.appFees', [APP_FEE, VENUES, MALLORYS]],
    ['undecodable', 'evidence.appFees', [APP_FEE, VENUES, { ...VENUES, fee: 501 }]],
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
    'the evidence of another swap, whole and signed: %o',
    async (wish) => {
      const theirs = await swapOf(bench.venue, bitcoinToBase({ feeBps: 30, ...wish }))
      expect(refuses('evidence', await objectionsTo('evidence', theirs.execution.evidence))).toContain('deposit.address')
    },
  )
})

describe('a venue that signs something else than was quoted is refused by name:', () => {
  const toEther = { originAsset: 'nep141:eth.omft.near', depositAddress: WALLETS.evmOther, refundTo: WALLETS.evmOther }
  const redirected = {
    virtualChainRecipient: WALLETS.evm,
    virtualChainRefundRecipient: WALLETS.evm,
    customRecipientMsg: 'run this',
  }
  const types = { swapType: 'EXACT_OUTPUT', depositType: 'INTENTS', refundType: 'INTENTS', recipientType: 'INTENTS' }
  const unread = { deadline: 'some day', ...types, depositMemo: '77', ...redirected }

  test.each<[string, Record<string, string | number | boolean>]>([
    ['unread: a quote that opens no deposit', { dry: true }],
    ['recipient', { recipient: WALLETS.evm }],
    ['refundTo', { refundTo: OTHER_BITCOIN }],
    ['chain', toEther],
    ['output.token', { destinationAsset: 'nep141:base.omft.near' }],
    ['undecodable', { destinationAsset: 'nep141:unheard.of' }],
    ['input.amount', { amountIn: '1000001', amount: '1000001' }],
    ['unread: amount', { amountIn: '999999' }],
    ['output.minimum', { minAmountOut: '1' }],
    ['deposit.address', { depositAddress: OTHER_BITCOIN }],
    ['undecodable', { depositAddress: 'bc1qk6s0ynedvn2w7r4f8gq5x3u9c0zjhm2ptlae7d' }],
    ['undecodable', { recipient: WALLETS.bitcoin }],
    ['deadline', { deadline: '2026-11-19T23:59:59.000Z' }],
    ['deadline', { deadline: '2026-12-21T00:00:00.000Z' }],
    ...Object.entries(unread).map(([word, value]): [string, Record<string, string>] => [`unread: ${word}`, { [word]: value }]),
  ])('%s by %j', async (name, changed) => {
    const objections = refuses(name, await resigned(Object.entries(changed).map(([word, value]) => [`words.${word}`, value])))
    expect(named(objections)).toContain(name)
    expect(objections.join()).not.toContain('signature')
  })
})
