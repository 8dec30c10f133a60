import { toAmount } from '../../../engine/core/amount.ts'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { type RecordedRow, recordedAnswer } from '../../support/recordedAnswers.ts'
import { never } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'

/**
 * No answer with a price or a channel of the live venue is published. What is are five statuses, shortened by whoever recorded
 * them: they go through the tracker, with the orders they were about.
 */
const SOURCE = 'https://github.com/gemwalletcom/core, crates/swapper/src/chainflip/client/test'

type Place = readonly [1 | -1 | -2, string]
const ASSETS: { readonly [name: string]: Place } = {
  'Ethereum ETH': [1, NATIVE],
  'Ethereum USDC': [1, USDC.ethereum],
  'Ethereum USDT': [1, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  'Bitcoin BTC': [-1, NATIVE],
  'Solana SOL': [-2, NATIVE_SOL],
  'Solana USDC': [-2, USDC.solana],
}
const RECIPIENTS = { '1': WALLETS.evmOther, '-1': WALLETS.bitcoin, '-2': WALLETS.solana }

type Report = readonly [state: string, from: string, to: string, amount: string, swapped: string, told: string, refunded?: string]
const REPORTS: { readonly [name: string]: Report } = {
  swap_btc_to_usdt_refunded: ['COMPLETED', 'Bitcoin BTC', 'Ethereum USDT', '1508475', '0', 'refunded', '1506979'],
  // What was sent has been left out of these: they are no successes.
  swap_eth_to_btc: ['COMPLETED', 'Ethereum ETH', 'Bitcoin BTC', '140000000000000000', '405772', 'processing'],
  swap_sol_to_btc: ['COMPLETED', 'Solana SOL', 'Bitcoin BTC', '150000000', '17567', 'processing'],
  swap_usdc_to_btc_pending: ['SENDING', 'Solana USDC', 'Bitcoin BTC', '495625000', '695407', 'processing'],
  swap_usdc_to_sol: ['COMPLETED', 'Ethereum USDC', 'Solana SOL', '100000000', '1143469990', 'processing'],
}

const run = async ([state, from, to, amount, swapped, expected, refunded]: Report): Promise<void> => {
  const [input, output] = [ASSETS[from], ASSETS[to]]
  if (!input || !output) throw new Error('no such asset')
  const names = (text: string, side: string) => {
    const [chain = '', asset = ''] = text.split(' ')
    return { [`${side}Chain`]: chain, [`${side}Asset`]: asset }
  }
  const report = {
    ...{ state, ...names(from, 'src'), ...names(to, 'dest') },
    ...{ deposit: { amount }, swap: { swappedOutputAmount: swapped } },
    ...(refunded !== undefined && { refundEgress: { amount: refunded } }),
  }
  const order = anOrder({ from: input, to: output, amount: BigInt(amount), recipient: RECIPIENTS[`${output[0]}`] })
  const { venue } = canned(chainflip, () => ({ body: report }))
  const execution = {
    payload: {},
    venueRef: null,
    evidence: null,
    outputAmount: toAmount(1n),
    slippage: null,
    carry: { v: 1, channelId: null },
  }
  const executed = { order, offer: {}, binding: order, execution } as never
  const ref = input[0] === -2 ? '5'.repeat(88) : input[0] === -1 ? 'ab'.repeat(32) : `0x${'ab'.repeat(32)}`
  const word = await venue.tracker?.track(ref, { order, offer: {} as never, executed }, never())
  if (word?.state !== expected) throw new Error(`${word?.state} in place of ${expected}`)
}

const row = (name: string): RecordedRow => ({ name, source: SOURCE, recordedAt: null })

export const recordedAnswers = Object.entries(REPORTS).map(([name, report]) => recordedAnswer(row(name), () => run(report)))
