import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Change, evmOrderId, forged, outcomeWith, type Ports, word } from './forging.ts'
import {
  ARB,
  altered,
  bitcoinOrder,
  etherOrder,
  NATIVE,
  NATIVE_SOL,
  openBroken,
  type ProperAnswers,
  properAnswers,
  refusalOf,
  signal,
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

const answersOf = new Map<VenueOrder, ProperAnswers>()
beforeAll(async () => {
  for (const order of [TOKENS, COINS, APART, SOL, SPL, COIN]) answersOf.set(order, await properAnswers(order))
})

const answers = (order: VenueOrder): ProperAnswers => {
  const found = answersOf.get(order)
  if (!found) throw new TypeError('no answers for this order')
  return found
}

const outcomeOf = (order: VenueOrder, told: Partial<ProperAnswers>, ports: Ports = {}) =>
  outcomeWith({ ...answers(order), ...told }, order, ports)

const tell = (order: VenueOrder, changes: readonly Change[], idOf?: Parameters<typeof forged>[2]) =>
  outcomeOf(order, { quote: forged(answers(order).quote, changes, idOf) })

const refund = (of: VenueOrder) =>
  (answers(of).quote as never as { protocol: { v2: { orderData: { inputs: { refunds: object[] }[] } } } }).protocol.v2.orderData
    .inputs[0]?.refunds[0] as Record<string, unknown>

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
    const to = (recipient: string) => ({
      ...refund(APART),
      chainId: 'arbitrum',
      recipient,
      currency: USDC.arbitrum.toLowerCase(),
    })
    const with_ = (recipient: string) => tell(APART, [['inputs.0.refunds', [refund(APART), to(recipient)]]])
    expect(await with_(APART.recipient.toLowerCase())).toBe('signed')
    expect(await with_(APART.refundTo.toLowerCase())).toBe('signed')
    expect(await with_(STRANGER)).not.toBe('signed')
    expect(await with_(APART.sender.toLowerCase())).not.toBe('signed')
  })

  test('may be refunded there in wrapped SOL, for which there is no name here', async () => {
    const order = usdcOrder({ to: [-2, NATIVE_SOL], recipient: SOL.sender })
    answersOf.set(order, await properAnswers(order))
    const wrapped = { ...refund(order), chainId: 'solana', recipient: SOL.sender, currency: NATIVE_SOL, extraData: '0x' }
    expect(await tell(order, [['inputs.0.refunds', [refund(order), wrapped]]])).toBe('signed')
  })

  test('may be filled through the vendor’s own router', async () => {
    expect(await tell(COINS, [['output.extraData', word(ROUTER)]])).toBe('signed')
    expect(await tell(COINS, [['output.extraData', '0x']])).toBe('signed')
  })

  test('on a chain that lends its name is not', async () => {
    const order = etherOrder({ to: [143, NATIVE] })
    answersOf.set(order, await properAnswers(order))
    const listed = (answers(order).chains as { chains: { id: number }[] }).chains
    const chains = { chains: listed.map((chain) => (chain.id === 143 ? altered(chain, 'protocol.v2.chainId', 'degen') : chain)) }
    const changes: Change[] = [
      ['output.chainId', 'degen'],
      ['inputs.0.refunds', [refund(order)]],
    ]
    expect(await outcomeOf(order, { chains, quote: forged(answers(order).quote, changes, evmOrderId) })).not.toBe('signed')
  })

  test('and whose solver the venue lists as its own is not', async () => {
    const listed = (answers(TOKENS).chains as { chains: object[] }).chains
    const chains = { chains: listed.map((chain) => ({ ...chain, solverAddresses: [STRANGER] })) }
    const quote = forged(answers(TOKENS).quote, [['solver', STRANGER]])
    expect(await outcomeOf(TOKENS, { chains, quote })).not.toBe('signed')
    // The operator may say so.
    expect(await outcomeOf(TOKENS, { quote }, { settings: { SOLVER: STRANGER } })).toBe('signed')
    expect(await outcomeOf(TOKENS, {}, { settings: { SOLVER: STRANGER } })).not.toBe('signed')
  })

  test('with a fee for an address that is none is an answer nobody can read, not a crash', async () => {
    const fee = { recipientChainId: 'bitcoin', currencyChainId: 'base', currency: USDC.base, amount: '1' }
    for (const recipient of ['bc1q00000000000000000000000000', 'O'.repeat(30), '1'.repeat(90)]) {
      const quote = altered(answers(TOKENS).quote, 'protocol.v2.orderData.fees', [{ ...fee, recipient }])
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

const stepOf = (order: VenueOrder): Step =>
  (answers(order).quote as { steps: { items: { data: Step }[] }[] }).steps[0]?.items[0]?.data as Step
const withStep = (order: VenueOrder, step: Partial<Step>): unknown =>
  altered(answers(order).quote, 'steps.0.items.0.data', { ...stepOf(order), ...step })

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
    for (const order of [SOL, SPL])
      for (const instructions of [
        [extra, ...stepOf(order).instructions],
        [...stepOf(order).instructions, extra],
      ]) {
        const broken = await openBroken((path) => ({
          body: path === '/chains' ? answers(order).chains : withStep(order, { instructions }),
        }))
        const refusal = await refusalOf(broken.venue.quote(order, signal()))
        await broken.close()
        expect(['unsupportedPair', 'badResponse']).toContain(refusal.kind)
      }
  })

  test('a deposit of another amount or for another order is not offered', async () => {
    const { instructions } = stepOf(SOL)
    const deposit = instructions.at(-1) as Instruction
    const at = (from: number, hex: string) => `${deposit.data.slice(0, from)}${hex}${deposit.data.slice(from + hex.length)}`
    for (const data of [at(16, 'ff'), at(30, '01'), at(32, '0000'), at(94, '00ff')]) {
      const told = withStep(SOL, { instructions: [...instructions.slice(0, -1), { ...deposit, data }] })
      const broken = await openBroken((path) => ({ body: path === '/chains' ? answers(SOL).chains : told }))
      if (data !== deposit.data) expect((await refusalOf(broken.venue.quote(SOL, signal()))).kind).toBe('badResponse')
      await broken.close()
    }
  })

  test('accounts that need not be written may be: it takes nothing, and the wallet is all who signs', async () => {
    const instructions = stepOf(SPL).instructions.map((instruction) => ({
      ...instruction,
      keys: instruction.keys.map((key) => ({ ...key, isWritable: true })),
    }))
    expect(await outcomeOf(SPL, { quote: withStep(SPL, { instructions }) })).toBe('signed')
    const signers = instructions.map((instruction) => ({
      ...instruction,
      keys: instruction.keys.map((key) => ({ ...key, isSigner: true })),
    }))
    expect(await outcomeOf(SPL, { quote: withStep(SPL, { instructions: signers }) })).not.toBe('signed')
  })

  test('a swap into wrapped SOL before it is declined', async () => {
    const quote = forged(answers(SOL).quote, [['inputs.0.payment.currency', NATIVE_SOL]])
    expect(await outcomeOf(SOL, { quote })).toBe('unsupportedPair')
  })

  test('a lookup table of no address is an answer nobody can read, not a crash', async () => {
    const chains = createFakeChains()
    chains.script.lookupTable = async () => []
    const quote = withStep(SOL, { addressLookupTableAddresses: ['z'.repeat(44)] })
    expect(await outcomeOf(SOL, { quote }, { chains })).toBe('badResponse')
  })

  test('more accounts than a transaction can name are too many, not a crash', async () => {
    const { base58 } = await import('@scure/base')
    const keys = Array.from({ length: 60 }, (_, i) => i)
    const extra = [0, 1, 2, 3, 4].map((block) => ({
      programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      keys: keys.map((i) => ({
        ...someone,
        pubkey: base58.encode(Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? block + 1 : i))),
      })),
      data: '61',
    }))
    const quote = withStep(SOL, { instructions: [...stepOf(SOL).instructions, ...extra] })
    expect(await outcomeOf(SOL, { quote })).not.toBe('signed')
  })
})

describe('what a wallet of an EVM chain would sign', () => {
  const at = 'steps.1.items.0.data.data'
  const data = () =>
    (answers(TOKENS).quote as { steps: { items: { data: { data: string } }[] }[] }).steps[1]?.items[0]?.data.data ?? ''
  test.each([
    ['another amount', () => data().replace('0ee6b280', '0ee6b281')],
    ['another token', () => data().replace(USDC.base.slice(2).toLowerCase(), ARB.slice(2).toLowerCase())],
    ['another order', () => `${data().slice(0, -2)}${data().endsWith('00') ? '01' : '00'}`],
    ['something after the order', () => `${data()}${'00'.repeat(32)}`],
  ])('%s is not offered', async (_name, changed) => {
    const quote = altered(answers(TOKENS).quote, at, changed())
    const broken = await openBroken((path) => ({ body: path === '/chains' ? answers(TOKENS).chains : quote }))
    expect((await refusalOf(broken.venue.quote(TOKENS, signal()))).kind).toBe('badResponse')
    await broken.close()
  })
  test('is the same in capital letters', async () => {
    expect(await outcomeOf(TOKENS, { quote: altered(answers(TOKENS).quote, at, `0x${data().slice(2).toUpperCase()}`) })).toBe(
      'signed',
    )
  })
})
