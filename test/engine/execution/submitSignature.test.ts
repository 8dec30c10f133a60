import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { Hex, SignaturePayload, TypedData } from '../../../engine/core/execution.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { chainFails, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, fails, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { fieldsOf, type GivenAddresses, orderOn, ROUTES, type SwapStage, startSwaps } from '../../support/swapStage.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

/** Well-known development keys; nobody's money. */
const ALICE = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const MALLORY = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const CONTRACT_WALLET = addressOf('evm', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0')
const SIGNATURE = { kind: 'SIGNATURE' } as const

type ToSign = Parameters<typeof ALICE.signTypedData>[0]
const sign = (typedData: TypedData, account = ALICE): Promise<Hex> => account.signTypedData(typedData as unknown as ToSign)
const digestOf = (typedData: TypedData): Hex => hashTypedData(typedData as Parameters<typeof hashTypedData>[0])

const start = async (sender: OrderWish['sender'] = WALLETS.evm, approvalData: TypedData | null = null) => {
  const stage = await startSwaps(SIGNATURE)
  stage.venue.script.alter = ({ payload, ...rest }) => ({ ...rest, payload: { ...(payload as SignaturePayload), approvalData } })
  if (approvalData)
    stage.venue.script.decode = async (claims) => ({ ...claims, approval: { spender: TOY_CONTRACT, amount: 1_000_000n } })
  const quoteToken = await stage.token(orderOn(ROUTES.evm, { sender }))
  return {
    ...stage,
    /** Executes the quote. */
    build: async (given?: GivenAddresses) => (await stage.execute(quoteToken, given)).payload as SignaturePayload,
    post: (signature: Hex, approvalSignature: Hex | null = null, { engine, context }: SwapStage = stage) =>
      engine.submitSignature({ quoteToken, signature, approvalSignature }, context),
    walletReads: () => stage.chains.calls.filter(({ method }) => method === 'isValidContractSignature').map(({ query }) => query),
  }
}

/** A stage whose quote is executed, and the sender's signature. */
const startSigned = async () => {
  const stage = await start()
  const signature = await sign((await stage.build()).typedData)
  return { stage, signature, post: (by?: SwapStage) => stage.post(signature, null, by) }
}
const restart = ({ venue, store }: SwapStage) => startSwaps({}, { venue, store })
const posted = { statusRef: 'toy-order-1', venue: 'toy' }

it('submit-signature: a signature of the sender is forwarded once with its swap, in either form, long after the quote expired [signature-repeat-once] [signature-too-late-410]', async () => {
  const { stage, signature, post } = await startSigned()
  stage.clock.at += 3_600_000
  stage.venue.script.submit = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return posted
  }
  const rest = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`)
  const other: Hex = `0x${signature.slice(2, 66)}${rest.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
  expect(await Promise.all([post(), post(), stage.post(other), stage.post(other)])).toEqual(Array(4).fill(posted))
  stage.venue.script.submit = async () => ({ statusRef: 'a second order' })
  for (const by of [stage, await restart(stage)]) expect(await post(by)).toEqual(posted)
  const swap = { binding: { recipient: WALLETS.evm }, execution: { venueRef: 'toy-order-1' } }
  expect(stage.venue.calls.submit).toMatchObject([{ signed: { signature, approvalSignature: null, scheme: 'ecdsa' }, swap }])
  const [submitted] = stage.reported('signature.submitted')
  expect(submitted).toMatchObject({ requestId: 'req-1', venue: 'toy', ref: 'toy-order-1' })
})

it('submit-signature: a signature of the sender selects the execution that it signs, without a chain [signature-of-sender]', async () => {
  const stage = await start()
  const [mine, theirs] = [await stage.build(), await stage.build({ destinationAddress: WALLETS.evmOther })]
  stage.chains.script.isValidContractSignature = chainFails('unreachable', 1)
  expect((await stage.post(await sign(theirs.typedData))).statusRef).toBe('toy-order-2')
  expect((await stage.post(await sign(mine.typedData))).statusRef).toBe('toy-order-1')
  expect(stage.venue.calls.submit.map(({ swap }) => swap.binding.recipient)).toEqual([WALLETS.evmOther, WALLETS.evm])
})

it('submit-signature: any other signature is refused and not forwarded, also with two executions [signature-of-sender]', async () => {
  const stage = await start()
  const { typedData } = await stage.build()
  await stage.build({ destinationAddress: WALLETS.evmOther })
  const { message, domain } = typedData
  for (const [what, signing] of Object.entries({
    'by another key': sign(typedData, MALLORY),
    'over another amount': sign({ ...typedData, message: { ...message, inputAmount: '2' } }),
    'for another chain': sign({ ...typedData, domain: { ...domain, chainId: 10 } }),
    'over the digest as a plain message': ALICE.signMessage({ message: { raw: digestOf(typedData) } }),
    'cut short': sign(typedData).then((signature) => signature.slice(0, -2) as Hex),
    'one byte too long': sign(typedData).then((signature): Hex => `${signature}00`),
    'of no bytes': '0x' as const,
    'of zeros': `0x${'00'.repeat(65)}` as const,
  }))
    expect([what, ...fieldsOf(await refusalOf(stage.post(await signing), 'INVALID_REQUEST'))]).toEqual([what, 'signature'])
  expect(stage.venue.calls.submit).toEqual([])
})

it('submit-signature: any other signature before /execute, or for a quote that takes none or whose venue is gone, is refused [signature-of-sender]', async () => {
  const [unexecuted, paid, gone] = [await startSwaps(SIGNATURE), await startSwaps(), await startSwaps(SIGNATURE)]
  const after = await startSwaps({}, { venues: [createFakeVenue('other')], store: gone.store })
  for (const [{ token, execute }, { engine, context }] of [
    [unexecuted, unexecuted],
    [paid, paid],
    [gone, after],
  ] as const) {
    const quoteToken = await token()
    if (engine !== unexecuted.engine) await execute(quoteToken)
    const call = engine.submitSignature({ quoteToken, signature: '0x12', approvalSignature: null }, context)
    expect(fieldsOf(await refusalOf(call, 'INVALID_REQUEST'))).toEqual(['quoteToken'])
  }
})

it('submit-signature: the store reserves the swap before the venue receives the signature, else nothing is forwarded [signature-repeat-once]', async () => {
  const { stage, post } = await startSigned()
  stage.store.fails = isWrite
  expect((await refusalOf(post(), 'INTERNAL')).details).toEqual({ retryable: true })
  expect(stage.venue.calls.submit).toEqual([])
  stage.store.fails = () => false
  stage.venue.script.submit = async () => {
    expect(await stage.store.kept()).toMatchObject([{ postingAt: START_AT, submittedAt: null }])
    return posted
  }
  expect(await post()).toEqual(posted)
})

it('submit-signature: the store loses no order that the venue accepted when it fails afterwards', async () => {
  const { stage, post } = await startSigned()
  stage.venue.script.submit = async () => {
    stage.store.fails = isWrite
    return { statusRef: 'toy-order-7' }
  }
  const first = { statusRef: 'toy-order-7', venue: 'toy' }
  for (let call = 0; call < 2; call += 1) expect(await post()).toEqual(first)
  expect(stage.reported('store.failed')[0]).toMatchObject({ requestId: 'req-1', reason: expect.stringMatching(/swaps\.set/) })
  expect(stage.venue.calls.submit).toHaveLength(1)
  // Only this process knows the order: another one posts it again, as the same order.
  expect(await post(await restart(stage))).toEqual(first)
  stage.store.fails = () => false
  for (const by of [stage, await restart(stage)]) expect(await post(by)).toEqual(first)
  expect(stage.venue.calls.submit).toHaveLength(2)
})

const approvalData: TypedData = {
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: TOKENS.usdcEthereum.address },
  types: { Permit: ['spender', 'value'].map((name) => ({ name, type: name === 'value' ? 'uint256' : 'address' })) },
  primaryType: 'Permit',
  message: { spender: TOY_CONTRACT, value: '1000000' },
}
const refusesApproval = async (call: Promise<unknown>) =>
  expect(fieldsOf(await refusalOf(call, 'INVALID_REQUEST'))).toEqual(['approvalSignature'])

it('submit-signature: an approval by signature is forwarded as the sender signed it, required with approvalData and refused without [signature-of-sender]', async () => {
  const stage = await start(WALLETS.evm, approvalData)
  const payload = await stage.build()
  expect(payload.approvalData).toEqual(approvalData)
  stage.chains.allow(TOY_CONTRACT, 0n)
  expect((await stage.swap()).approval).toBeNull()
  const [signature, approvalSignature] = [await sign(payload.typedData), await sign(approvalData)]
  const other = await sign({ ...approvalData, message: { spender: TOY_CONTRACT, value: '9' } })
  for (const wrong of [null, signature, await sign(approvalData, MALLORY), other])
    await refusesApproval(stage.post(signature, wrong))
  const without = await startSigned()
  await refusesApproval(without.stage.post(without.signature, approvalSignature))
  expect([...stage.venue.calls.submit, ...without.stage.venue.calls.submit]).toEqual([])
  await Promise.all([stage.post(signature, approvalSignature), refusesApproval(stage.post(signature, other))])
  expect(stage.venue.calls.submit.map(({ signed }) => signed)).toEqual([{ signature, approvalSignature, scheme: 'ecdsa' }])
})

it('submit-signature: an approval by signature and its order are decided by a contract wallet on its own chain, and nothing is forwarded while that is unreachable [signature-contract-wallet]', async () => {
  const stage = await start(CONTRACT_WALLET, approvalData)
  const { typedData } = await stage.build()
  const [accepted, { script }]: [Hex[], SwapStage['chains']] = [[], stage.chains]
  const post = () => stage.post('0xaa', '0xbb')
  script.isValidContractSignature = async ({ signature }) => accepted.includes(signature)
  expect(fieldsOf(await refusalOf(post(), 'INVALID_REQUEST'))).toEqual(['signature'])
  accepted.push('0xaa')
  await refusesApproval(post())
  const { isValidContractSignature } = script
  for (const unread of ['0xaa', '0xbb']) {
    script.isValidContractSignature = async ({ signature }) => signature !== unread || chainFails('unreachable', 1)()
    expect((await refusalOf(post(), 'INTERNAL')).details).toEqual({ retryable: true })
  }
  expect(stage.venue.calls.submit).toEqual([])
  accepted.push('0xbb')
  script.isValidContractSignature = isValidContractSignature
  expect(await post()).toEqual(posted)
  const query = (signed: TypedData, signature: Hex) => {
    return { chainId: 1, signer: CONTRACT_WALLET, digest: digestOf(signed), signature }
  }
  expect(stage.walletReads().slice(-2)).toEqual([query(typedData, '0xaa'), query(approvalData, '0xbb')])
  expect(stage.venue.calls.submit).toMatchObject([
    { signed: { signature: '0xaa', approvalSignature: '0xbb', scheme: 'eip1271' } },
  ])
})

it('submit-signature: an approval by signature by the key of an account with code is refused when the code accepts the order alone', async () => {
  const stage = await start(WALLETS.evm, approvalData)
  const signature = await sign((await stage.build()).typedData)
  stage.chains.script.code = async () => `0xef0100${'11'.repeat(20)}`
  stage.chains.script.isValidContractSignature = async (query) => query.signature === signature
  await refusesApproval(stage.post(signature, await sign(approvalData)))
  expect(stage.venue.calls.submit).toEqual([])
})

it.each<[VenueErrorKind, VenueErrorOptions, string, object]>([
  ['badRequest', { party: 'signature' }, 'INVALID_REQUEST', { fields: [{ path: 'signature' }] }],
  ['noLiquidity', {}, 'QUOTE_EXPIRED', { venue: 'toy', reason: 'noLiquidity' }],
  ['unavailable', {}, 'INTERNAL', { venue: 'toy', kind: 'unavailable', retryable: true }],
])('submit-signature: a failure %s %o gives %s, and can be repeated [signature-too-late-410]', async (...row) => {
  const [kind, options, code, details] = row
  const { stage, post } = await startSigned()
  stage.venue.script.submit = fails(new VenueError(kind, 'their words', options))
  expect(await refusalOf(post())).toMatchObject({ code, details })
  expect(stage.called('submit')).toMatchObject([{ call: 'submit', kind, reason: 'their words' }])
  expect(stage.reported('signature.submitted')).toEqual([])
  stage.venue.script.submit = async () => ({ statusRef: 'toy-order-2' })
  expect((await post()).statusRef).toBe('toy-order-2')
})
