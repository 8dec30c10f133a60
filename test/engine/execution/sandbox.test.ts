import { SystemInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { encodeFunctionData, erc20Abi, hashTypedData } from 'viem'
import { expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import { type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { type FakeVenueOptions, offers } from '../../support/fakeVenue.ts'
import { orderOn, ROUTES, startSwaps } from '../../support/swapStage.ts'
import { refusalOf } from '../../support/testEngine.ts'

const sandboxed = (route: OrderWish) => orderOn(route, { sandbox: true })

const play = async (kind: ExecutionType, route: OrderWish = ROUTES.evm, options: FakeVenueOptions = {}) => {
  const stage = await startSwaps({ kind, ...options })
  const quoteToken = await stage.token(sandboxed(route))
  const { engine, context, venue, store } = stage
  const status = (ref: string) => engine.status({ quoteToken, ref }, context)
  return {
    ...stage,
    build: () => stage.execute(quoteToken),
    status,
    post: () => engine.submitSignature({ quoteToken, signature: '0x1234', approvalSignature: null }, context),
    /** The venue was asked for a price alone, and the stored swap is marked. */
    isInert: async () => {
      await status('anything')
      expect(venue.calls).toEqual({ quote: [expect.anything()], execute: [], submit: [], track: [] })
      expect(await store.kept()).toMatchObject([{ isSandbox: true, swap: { offer: { venue: 'toy' } } }])
    },
  }
}

it('sandbox: a TRANSACTION on EVM sends no coins to the sender, and approves the sender [sandbox-inert-payload]', async () => {
  const { build, isInert } = await play('TRANSACTION')
  const { payload, approval } = await build()
  const transaction = { chainId: 1, to: WALLETS.evm, data: '0x', value: 0n }
  expect(payload).toEqual({ executionType: 'TRANSACTION', transaction })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [WALLETS.evm as `0x${string}`, 1_000_000n] })
  expect(approval).toMatchObject({ spender: WALLETS.evm, reset: null, transaction: { value: 0n, data } })
  await isInert()
})

it('sandbox: a TRANSACTION on Solana is unsigned, and sends no lamports to the sender, with a memo [sandbox-inert-payload]', async () => {
  const { payload } = await (await play('TRANSACTION', ROUTES.solana)).build()
  if (payload.executionType !== 'TRANSACTION') throw new TypeError(payload.executionType)
  const { data } = payload.transaction
  expect(payload.transaction).toMatchObject({ chainId: -2, to: WALLETS.solana, value: 0n, serialized: data })
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
  expect(signatures.flatMap((signature) => [...signature])).toEqual(Array(64).fill(0))
  const { payerKey, instructions } = TransactionMessage.decompile(message)
  const [transfer, memo, ...rest] = instructions
  if (!transfer || !memo) throw new RangeError('two instructions')
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(transfer)
  expect([payerKey, fromPubkey, toPubkey].map(String)).toEqual(Array(3).fill(WALLETS.solana))
  expect([lamports, memo.data.toString(), memo.keys, rest]).toEqual([0n, expect.stringMatching(/^sandbox /), [], []])
})

it('sandbox: a SIGNATURE is typed data that expired, for the wallet as contract, and is submitted to no venue [sandbox-inert-payload]', async () => {
  const { build, post, isInert } = await play('SIGNATURE')
  const { payload } = await build()
  if (payload.executionType !== 'SIGNATURE') throw new TypeError(payload.executionType)
  const { typedData, approvalData, chainId } = payload
  expect([chainId, approvalData]).toEqual([1, null])
  expect(typedData.domain).toEqual({ name: 'Sandbox', version: '1', chainId: 1, verifyingContract: WALLETS.evm })
  expect(Number(typedData.message['validTo']) * 1_000).toBeLessThan(Date.UTC(2020, 0))
  expect(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])).toMatch(/^0x[0-9a-f]{64}$/)
  const posted = { statusRef: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/), venue: 'toy' }
  expect([await post(), await post()]).toEqual([posted, posted])
  await isInert()
})

it('sandbox: a DEPOSIT goes to the address of the sender, which is the ref of each of its quotes [sandbox-inert-payload]', async () => {
  const { build, isInert, swap } = await play('DEPOSIT', ROUTES.bitcoin)
  const deposit = { chainId: -1, address: WALLETS.bitcoin, amount: 1_000_000n }
  expect(await build()).toMatchObject({ statusRef: WALLETS.bitcoin, payload: { deposit } })
  await isInert()
  expect((await swap(sandboxed(ROUTES.bitcoin))).statusRef).toBe(WALLETS.bitcoin)
})

it.each<[string, OrderWish, RegExp]>([
  ['EVM', ROUTES.evm, /^0x[0-9a-f]{64}$/],
  ['Solana', { ...ROUTES.evm, to: pair(TOKENS.usdcSolana), recipient: WALLETS.solana }, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
  ['Bitcoin', { ...ROUTES.evm, to: [-1, NATIVE], recipient: WALLETS.bitcoin }, /^[0-9a-f]{64}$/],
])('sandbox: status is success with the quoted output and a hash of %s, for any ref [sandbox-inert-payload]', async (...row) => {
  const [, route, hash] = row
  const { status } = await play('DEPOSIT', route, { quote: offers(777n) })
  const success = await status('')
  expect(success).toMatchObject({ state: 'success', deliveredAmount: 777n, txHash: expect.stringMatching(hash), payments: [] })
  expect(await status('another')).toEqual(success)
})

it('sandbox: execute is INTERNAL at a venue without sandbox, whose other swaps work [sandbox-unsupported-venue]', async () => {
  const { build, venue, swap } = await play('DEPOSIT', ROUTES.evm, { profile: { hasSandbox: false } })
  const { publicMessage, details } = await refusalOf(build(), 'INTERNAL')
  expect([publicMessage, details]).toEqual([expect.stringContaining('toy'), { venue: 'toy' }])
  await swap()
  expect(venue.calls.execute).toHaveLength(1)
})
