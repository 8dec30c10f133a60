import { expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { attackDeposit } from '../../support/venueKit/attackDeposit.ts'
import { any } from '../../support/venueKit/attackPayload.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, prove, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { FEE_ACCOUNT, openBench, orders, signAsLiar, toldBySigner } from './support.ts'

type Words = Record<string, string | number | boolean>
type Evidence = { readonly words: Words; readonly signature: string; readonly appFees: readonly { readonly recipient: string }[] }
const evidenceOf = ({ execution }: Swap) => execution.evidence as unknown as Evidence

const VENUE_FEE = { recipient: '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd', fee: 20 }
const OTHER_BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

/** Terms of another swap, each signed by the key of the venue. */
const OTHER_TERMS: readonly Words[] = [
  { dry: true },
  ...[WALLETS.evm, WALLETS.bitcoin].map((recipient) => ({ recipient })),
  { refundTo: OTHER_BITCOIN },
  { originAsset: 'nep141:eth.omft.near', depositAddress: WALLETS.evmOther, refundTo: WALLETS.evmOther },
  ...['nep141:base.omft.near', 'nep141:unheard.of'].map((destinationAsset) => ({ destinationAsset })),
  { amountIn: '1000001', amount: '1000001' },
  ...['amountIn', 'amount'].map((word) => ({ [word]: '999999' })),
  { minAmountOut: '1' },
  ...[OTHER_BITCOIN, 'bc1qk6s0ynedvn2w7r4f8gq5x3u9c0zjhm2ptlae7d'].map((depositAddress) => ({ depositAddress })),
  ...['2026-11-19T23:59:59.000Z', '2026-12-21T00:00:00.000Z', 'some day'].map((deadline) => ({ deadline })),
  { swapType: 'EXACT_OUTPUT' },
  ...['depositType', 'refundType', 'recipientType'].map((word) => ({ [word]: 'INTENTS' })),
  ...['depositMemo', 'customRecipientMsg', 'virtualChainRecipient', 'virtualChainRefundRecipient'].map((word) => ({
    [word]: '77',
  })),
]

attackDeposit({
  venue: 'near-intents',
  open: async (options) => {
    const bench = await openBench(options)
    return { ...bench, venue: toldBySigner(bench, undefined, options.settings).venue }
  },
  swaps: [{ title: 'bitcoin, with a fee', order: orders.btc({ feeBps: 30 }), settings: { FEE_ACCOUNT, REFERRAL: 'acme' } }],
  harmless: {
    // The share of the venue is in the price, wherever it stands.
    'evidence.appFees.1.fee': any,
    'evidence.appFees': ({ other, was }) => (other as unknown[]).length >= (was as unknown[]).length,
  },
  *also(swap) {
    const { words, appFees } = evidenceOf(swap)
    for (const terms of OTHER_TERMS) {
      const changed = { ...words, ...terms }
      yield ['evidence', { ...evidenceOf(swap), words: changed, signature: signAsLiar(changed) }]
    }
    for (const word of Object.keys(words)) for (const none of [undefined, null]) yield [`evidence.words.${word}`, none]
    for (const word of ['depositMemo', 'customRecipientMsg']) yield [`evidence.words.${word}`, '77']
    for (const recipient of ['mallory.near', FEE_ACCOUNT])
      for (const fee of [1, 30]) yield ['evidence.appFees', [...appFees, { recipient, fee }]]
    yield ['evidence.appFees', [VENUE_FEE]]
    yield ['evidence.appFees', [...appFees, { ...VENUE_FEE, fee: 501 }]]
    for (const signature of ['', `ed25519:${'2'.repeat(86)}`]) yield ['evidence.signature', signature]
    yield ['payload.deposit.address', OTHER_BITCOIN]
    yield ['evidence', 'signed']
  },
})

const open = closedAfterEach(openBench)
const count = countMutations('near-intents')

test('proof: rejects the complete signed evidence of another swap', async () => {
  const { venue } = await open({ settings: { FEE_ACCOUNT } })
  const swap = await swapOf(venue, orders.btc({ feeBps: 30 }))
  expect(await prove(venue, swap)).toEqual([])
  for (const wish of [{}, { amount: 1_000_001n }, { recipient: WALLETS.evm }]) {
    const theirs = await swapOf(venue, orders.btc({ feeBps: 30, ...wish }))
    const objections = await prove(venue, swap, altered(swap.execution, 'evidence', theirs.execution.evidence))
    expect(count('evidence', objections)).toContain('deposit.address')
  }
})
