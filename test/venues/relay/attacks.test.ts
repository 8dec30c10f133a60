import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { scriptOfAddress } from '../../../engine/chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../../engine/chains/bitcoin/hash160.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered } from '../../support/venueKit/calls.ts'
import type { CannedOptions } from '../../support/venueKit/canned.ts'
import { type Change, evmOrderId, forged, word } from './forging.ts'
import {
  ARB,
  bitcoinOrder,
  etherOrder,
  keptAnswers,
  NATIVE,
  NATIVE_SOL,
  outcomeWith,
  type ProperAnswers,
  RECIPIENT_BTC,
  solanaUsdcOrder,
  solOrder,
  USDC,
  usdcOrder,
} from './support.ts'

/** What a venue that lies, or is not itself any more, could hand to a wallet. Nothing of it may come through the proof. */

const STRANGER = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const ROUTER = '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'
const NOW_SECONDS = START_OF_TIME / 1_000

const TOKENS = usdcOrder()
const COINS = etherOrder()
/** Refunded to another than the one who receives. */
const APART = usdcOrder({ refundTo: addressOf('evm', '0x976EA74026E726554dB657fA54763abd0C3a0aa9') })
const SOL = solOrder()
const SPL = solanaUsdcOrder()
const COIN = bitcoinOrder()

const answers = keptAnswers()

const outcomeOf = async (order: VenueOrder, changed: Partial<ProperAnswers>, options: CannedOptions = {}) =>
  outcomeWith({ ...(await answers(order)), ...changed }, order, options)

const tell = async (order: VenueOrder, changes: readonly Change[], idOf?: Parameters<typeof forged>[2]) =>
  outcomeOf(order, { quote: forged((await answers(order)).quote, changes, idOf) })

const refund = async (of: VenueOrder) =>
  ((await answers(of)).quote as never as { protocol: { v2: { orderData: { inputs: { refunds: object[] }[] } } } }).protocol.v2
    .orderData.inputs[0]?.refunds[0] as Record<string, unknown>

describe('an order that is altered, its id and the deposit with it', () => {
  test.each([TOKENS, COINS, APART, SOL, SPL, COIN])('is signed as it was', async (order) => {
    expect(await tell(order, [['salt', '0x07']])).toBe('signed')
  })

  test.each<[string, VenueOrder, readonly Change[]]>([
    [
      'fills through a contract of its own, whose events are what proves a delivery',
      COINS,
      [['output.extraData', word(STRANGER)]],
    ],
    ['fills tokens through a contract of its own', TOKENS, [['output.extraData', word(STRANGER)]]],
    ['carries other data to its fill', COINS, [['output.extraData', `${word(ROUTER)}00`]]],
    ['refunds through a contract of its own', COINS, [['inputs.0.refunds.0.extraData', word(STRANGER)]]],
    ['refunds only until a moment ago', TOKENS, [['inputs.0.refunds.0.deadline', NOW_SECONDS - 1]]],
    ['refunds no longer once it may be filled no longer', TOKENS, [['inputs.0.refunds.0.deadline', NOW_SECONDS + 86_400]]],
    ['lapses before it could be paid', TOKENS, [['output.deadline', NOW_SECONDS + 60]]],
    ['lapses before a block of Bitcoin', COIN, [['output.deadline', NOW_SECONDS + 3_600]]],
    ['expects less than the answer tells', TOKENS, [['output.payments.0.expectedAmount', '249950499']]],
    ['weighs its payment as nothing', TOKENS, [['inputs.0.payment.weight', '0']]],
    ['weighs its payment as another', TOKENS, [['inputs.0.payment.weight', '2']]],
    ['refunds nothing', TOKENS, [['inputs.0.refunds', []]]],
    [
      'pays two',
      TOKENS,
      [['output.payments.1', { recipient: STRANGER, currency: ARB.toLowerCase(), minimumAmount: '1', expectedAmount: '1' }]],
    ],
    [
      'takes two payments',
      TOKENS,
      [['inputs.1', { payment: { chainId: 'base', currency: STRANGER, amount: '1', weight: '1' }, refunds: [] }]],
    ],
    ['calls', TOKENS, [['output.calls', ['0x00']]]],
    ['is solved by another', TOKENS, [['solver', STRANGER]]],
  ])('%s: is not', async (_name, order, changes) => {
    expect(await tell(order, changes)).not.toBe('signed')
  })

  test('may be refunded on the other chain, to the recipient or to the refund address there', async () => {
    const own = await refund(APART)
    const to = (recipient: string) => ({
      ...own,
      chainId: 'arbitrum',
      recipient,
      currency: USDC.arbitrum.toLowerCase(),
    })
    const with_ = (recipient: string) => tell(APART, [['inputs.0.refunds', [own, to(recipient)]]])
    expect(await with_(APART.recipient.toLowerCase())).toBe('signed')
    expect(await with_(APART.refundTo.toLowerCase())).toBe('signed')
    expect(await with_(STRANGER)).not.toBe('signed')
    expect(await with_(APART.sender.toLowerCase())).not.toBe('signed')
  })

  test('may be refunded there in wrapped SOL, for which there is no name here', async () => {
    const order = usdcOrder({ to: [-2, NATIVE_SOL], recipient: SOL.sender })
    const own = await refund(order)
    const wrapped = { ...own, chainId: 'solana', recipient: SOL.sender, currency: NATIVE_SOL, extraData: '0x' }
    expect(await tell(order, [['inputs.0.refunds', [own, wrapped]]])).toBe('signed')
  })

  test('may be filled through the vendor’s own router', async () => {
    expect(await tell(COINS, [['output.extraData', word(ROUTER)]])).toBe('signed')
    expect(await tell(COINS, [['output.extraData', '0x']])).toBe('signed')
  })

  test('on a chain that lends its name is not', async () => {
    const order = etherOrder({ to: [143, NATIVE] })
    const listed = ((await answers(order)).chains as { chains: { id: number }[] }).chains
    const chains = { chains: listed.map((chain) => (chain.id === 143 ? altered(chain, 'protocol.v2.chainId', 'degen') : chain)) }
    const changes: Change[] = [
      ['output.chainId', 'degen'],
      ['inputs.0.refunds', [await refund(order)]],
    ]
    expect(await outcomeOf(order, { chains, quote: forged((await answers(order)).quote, changes, evmOrderId) })).not.toBe(
      'signed',
    )
  })

  test('and whose solver the venue lists as its own is not', async () => {
    const listed = ((await answers(TOKENS)).chains as { chains: object[] }).chains
    const chains = { chains: listed.map((chain) => ({ ...chain, solverAddresses: [STRANGER] })) }
    const quote = forged((await answers(TOKENS)).quote, [['solver', STRANGER]])
    expect(await outcomeOf(TOKENS, { chains, quote })).not.toBe('signed')
    // The operator may say so.
    expect(await outcomeOf(TOKENS, { quote }, { settings: { SOLVER: STRANGER } })).toBe('signed')
    expect(await outcomeOf(TOKENS, {}, { settings: { SOLVER: STRANGER } })).not.toBe('signed')
  })

  test('with a fee for an address that is none is an answer nobody can read, not a crash', async () => {
    const fee = { recipientChainId: 'bitcoin', currencyChainId: 'base', currency: USDC.base, amount: '1' }
    for (const recipient of ['bc1q00000000000000000000000000', 'O'.repeat(30), '1'.repeat(90)]) {
      const quote = altered((await answers(TOKENS)).quote, 'protocol.v2.orderData.fees', [{ ...fee, recipient }])
      expect(await outcomeOf(TOKENS, { quote })).toBe('badResponse')
    }
  })
})

const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const SOMEONE = 'SysvarC1ock11111111111111111111111111111111'
const user = { pubkey: SOL.sender, isSigner: true, isWritable: true }
const someone = { pubkey: SOMEONE, isSigner: false, isWritable: true }
type Instruction = { keys: { pubkey: string; isSigner: boolean; isWritable: boolean }[]; programId: string; data: string }
type Step = { instructions: Instruction[]; addressLookupTableAddresses: string[] }

const stepOf = async (order: VenueOrder): Promise<Step> =>
  ((await answers(order)).quote as { steps: { items: { data: Step }[] }[] }).steps[0]?.items[0]?.data as Step
const withStep = async (order: VenueOrder, step: Partial<Step>): Promise<unknown> =>
  altered((await answers(order)).quote, 'steps.0.items.0.data', { ...(await stepOf(order)), ...step })

describe('instructions beside a deposit on Solana', () => {
  const SMUGGLED: readonly (readonly [string, Instruction])[] = [
    ['a transfer of SOL', { programId: '1'.repeat(32), keys: [user, someone], data: '020000000100000000000000' }],
    ['a delegate of the tokens', { programId: TOKEN_PROGRAM, keys: [someone, someone, user], data: '04ffffffffffffffff' }],
    ['another owner of the account', { programId: TOKEN_PROGRAM, keys: [someone, user], data: `060201${'09'.repeat(32)}` }],
    ['a nonce that never ends', { programId: '1'.repeat(32), keys: [someone, someone, user], data: '04000000' }],
    [
      'a compute price that eats the wallet',
      { programId: 'ComputeBudget111111111111111111111111111111', keys: [], data: '03ffffffffffffff00' },
    ],
    ['a program nobody knows', { programId: SOMEONE, keys: [user], data: '00' }],
    ['another call of the depository', { programId: PROGRAM, keys: [user], data: '00'.repeat(8) }],
  ]
  test.each(SMUGGLED)('%s: no offer is made, and the venue is not in trouble for it', async (_name, extra) => {
    for (const order of [SOL, SPL]) {
      const { instructions } = await stepOf(order)
      for (const smuggled of [
        [extra, ...instructions],
        [...instructions, extra],
      ]) {
        const quote = await withStep(order, { instructions: smuggled })
        expect(['unsupportedPair', 'badResponse']).toContain(await outcomeOf(order, { quote }))
      }
    }
  })

  test.each([
    ['amount', 16, 'ff'],
    ['amount, its high bytes', 30, '01'],
    ['order', 32, '0000'],
    ['order, its last bytes', 94, '00ff'],
  ])('a deposit of another %s is not offered', async (_what, from, hex) => {
    const { instructions } = await stepOf(SOL)
    const deposit = instructions.at(-1) as Instruction
    const data = `${deposit.data.slice(0, from)}${hex}${deposit.data.slice(from + hex.length)}`
    const quote = await withStep(SOL, { instructions: [...instructions.slice(0, -1), { ...deposit, data }] })
    expect(await outcomeOf(SOL, { quote })).toBe(data === deposit.data ? 'signed' : 'badResponse')
  })

  test('accounts that need not be written may be: it takes nothing, and the wallet is all who signs', async () => {
    const instructions = (await stepOf(SPL)).instructions.map((instruction) => ({
      ...instruction,
      keys: instruction.keys.map((key) => ({ ...key, isWritable: true })),
    }))
    expect(await outcomeOf(SPL, { quote: await withStep(SPL, { instructions }) })).toBe('signed')
    const signers = instructions.map((instruction) => ({
      ...instruction,
      keys: instruction.keys.map((key) => ({ ...key, isSigner: true })),
    }))
    expect(await outcomeOf(SPL, { quote: await withStep(SPL, { instructions: signers }) })).not.toBe('signed')
  })

  test('a swap into wrapped SOL before it is declined', async () => {
    const quote = forged((await answers(SOL)).quote, [['inputs.0.payment.currency', NATIVE_SOL]])
    expect(await outcomeOf(SOL, { quote })).toBe('unsupportedPair')
  })

  test('a lookup table of no address is an answer nobody can read, not a crash', async () => {
    const chains = createFakeChains()
    chains.script.lookupTable = async () => []
    const quote = await withStep(SOL, { addressLookupTableAddresses: ['z'.repeat(44)] })
    expect(await outcomeOf(SOL, { quote }, { chains })).toBe('badResponse')
  })

  test('more accounts than a transaction can name are too many, not a crash', async () => {
    const keys = Array.from({ length: 60 }, (_, i) => i)
    const extra = [0, 1, 2, 3, 4].map((block) => ({
      programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      keys: keys.map((i) => ({
        ...someone,
        pubkey: base58.encode(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? block + 1 : i))),
      })),
      data: '61',
    }))
    const quote = await withStep(SOL, { instructions: [...(await stepOf(SOL)).instructions, ...extra] })
    expect(await outcomeOf(SOL, { quote })).not.toBe('signed')
  })
})

describe('what a wallet of an EVM chain would sign', () => {
  const at = 'steps.1.items.0.data.data'
  const changed = async (change: (data: string) => string) => {
    const { quote } = await answers(TOKENS)
    const data = (quote as { steps: { items: { data: { data: string } }[] }[] }).steps[1]?.items[0]?.data.data ?? ''
    expect(change(data)).not.toBe(data)
    return outcomeOf(TOKENS, { quote: altered(quote, at, change(data)) })
  }
  test.each<[string, (data: string) => string]>([
    ['another amount', (data) => data.replace('0ee6b280', '0ee6b281')],
    ['another token', (data) => data.replace(USDC.base.slice(2).toLowerCase(), ARB.slice(2).toLowerCase())],
    ['another order', (data) => `${data.slice(0, -2)}${data.endsWith('00') ? '01' : '00'}`],
    ['something after the order', (data) => `${data}${'00'.repeat(32)}`],
  ])('%s is not offered', async (_name, change) => {
    expect(await changed(change)).toBe('badResponse')
  })
  test('a deposit of tokens that stand for the coin, and no coin with it, is not offered', async () => {
    const { quote } = await answers(COINS)
    const { value, data } = (quote as { steps: { items: { data: { value: string; data: string } }[] }[] }).steps[0]?.items[0]
      ?.data ?? { value: '0', data: '' }
    const [depositor, orderId] = [data.slice(10, 74), data.slice(74)]
    const tokens = `0xe8017952${depositor}${word(NATIVE).slice(2)}${BigInt(value).toString(16).padStart(64, '0')}${orderId}`
    const call = altered(altered(quote, 'steps.0.items.0.data.data', tokens), 'steps.0.items.0.data.value', '0')
    expect(await outcomeOf(COINS, { quote: call })).toBe('badResponse')
  })
  test('is the same in capital letters', async () => {
    expect(await changed((data) => `0x${data.slice(2).toUpperCase()}`)).toBe('signed')
  })
})

/** Nothing proves that an address in bitcoin is the venue's own for an order; that it is somebody else's can be told. */
describe('a deposit address in bitcoin', () => {
  const SCRIPT = scriptOfAddress(WALLETS.bitcoin) as Uint8Array
  const spelled = (version: number, hash: Uint8Array) => createBase58check(sha256).encode(Uint8Array.of(version, ...hash))

  const REFUSED = /^badResponse$|deposit\.owner|none of this order alone/
  test.each([
    ['of the venue’s own kinds', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', /^signed$/],
    ['of the venue’s own kinds', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', /^signed$/],
    ['of the venue’s own kinds', RECIPIENT_BTC, /^signed$/],
    ['that stands for the coin itself, and is nobody’s', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8', REFUSED],
    ['that is the depository all orders share', 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6', REFUSED],
    ['that is the depository of today, in its own form', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av', REFUSED],
    ['that is the depository of today, of a key', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', REFUSED],
    ['that is the solver’s', 'bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc', REFUSED],
    ['that is the wallet’s in capital letters', WALLETS.bitcoin.toUpperCase(), REFUSED],
    ['that is of the wallet’s key in another spelling', spelled(0x00, SCRIPT.slice(2)), REFUSED],
    ['that is of the wallet’s script in another spelling', spelled(0x05, hash160(SCRIPT)), REFUSED],
  ])('%s: %s: %s', async (_name, address, outcome) => {
    const { quote } = await answers(COIN)
    expect(await outcomeOf(COIN, { quote: altered(quote, 'steps.0.depositAddress', address) })).toMatch(outcome)
  })
})
