import { COINS_OF, dollars, type Side, USDC_ON, USDT_ON, units, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byDeposit, byTransaction, type Journey, refundLess, staysOpen, staysOwed } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const BNB: Side = { ...COINS_OF.ethereum, chainId: 56 }
const binds = { recipient: 'execute', refund: 'execute' } as const
/** Within a block of the State Chain, the service repeats the last answer. */
const states = ['pending', 'processing', 'success'] as const
/** The network takes 0.015 USDC or 915 satoshi for a refund. */
const USDC_COST = 15_000n
const bitcoinRefund = { ...refundLess(915n, 'COMPLETED'), stepMs: 10 * MINUTE_MS }
const fromBitcoin = (title: string, rest: Partial<Journey>) =>
  byDeposit(title, units(COINS_OF.bitcoin, '5000000'), USDC_ON.arbitrum, {
    ...{ states, stepMs: MINUTE_MS, troubles: { 'never-fills': bitcoinRefund }, ...rest },
  })
const toBitcoin = (title: string, rest: Partial<Journey> = {}) =>
  byTransaction(title, whole(COINS_OF.ethereum), COINS_OF.bitcoin, { stepMs: MINUTE_MS, ...rest })
/** Beside native SegWit. */
const ADDRESS_KINDS = ['p2pkh', 'p2sh-p2wpkh', 'p2wsh', 'p2tr'] as const

runJourneys({
  venue: { id: 'chainflip', name: 'Chainflip' },
  stepMs: 6_000,
  states: ['processing', 'success'],
  success: ['COMPLETED'],
  switches: ['/api/networkInfo', '/v2/quote', '/api/encodeVaultSwapData'],
  journeys: [
    byTransaction('USDC from Arbitrum to ether on Ethereum, by the vault', dollars(USDC_ON.arbitrum, 1_000), COINS_OF.ethereum, {
      troubles: {
        'never-fills': refundLess(USDC_COST, 'COMPLETED'),
        'lying-success': staysOpen('COMPLETED'),
        'unknown-status': staysOpen('REVIEWING'),
        fails: staysOwed('FAILED'),
      },
      reorg: { pending: [MINUTE_MS] },
      binds,
    }),
    toBitcoin('ether from Ethereum to Bitcoin, by the vault'),
    byTransaction('ether from Ethereum to USDC on Solana', whole(COINS_OF.ethereum), USDC_ON.solana),
    byDeposit('USDT from Arbitrum, whose vault swaps are off, by a channel', dollars(USDT_ON.arbitrum, 500), COINS_OF.solana, {
      ...{ states, troubles: { 'never-fills': refundLess(USDC_COST, 'COMPLETED') }, binds },
    }),
    fromBitcoin('bitcoin to USDC on Arbitrum', {
      reorg: { afterMs: MINUTE_MS, pending: [MINUTE_MS, HOUR_MS], isRepaired: true },
      prices: { currency: 'BTC', moved: { usd: '98800', isBetter: true }, gone: { usd: '90000', ending: bitcoinRefund } },
      binds,
    }),
    ...ADDRESS_KINDS.map((wallet) => fromBitcoin(`bitcoin of a wallet of kind ${wallet}`, { wallet })),
    ...ADDRESS_KINDS.map((recipientKind) =>
      toBitcoin(`ether to bitcoin at an address of kind ${recipientKind}`, { recipientKind }),
    ),
    byDeposit('SOL to ether on Arbitrum', units(COINS_OF.solana, '20000000000'), COINS_OF.arbitrum, { states }),
    byDeposit('USDC from Solana to BNB', dollars(USDC_ON.solana, 500), BNB, { states }),
  ],
})
