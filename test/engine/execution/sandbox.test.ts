import { PublicKey, SystemInstruction, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { encodeFunctionData, erc20Abi, hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseSolanaAddress } from '../../../engine/core/address.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { Payload } from '../../../engine/core/execution.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { type FakeVenueOptions, offers } from '../../support/fakeVenue.ts'
import { ROUTES, startSwaps } from '../../support/swapStage.ts'
import { refusalOf } from '../../support/testEngine.ts'

const play = async (kind: ExecutionType, route: OrderWish = ROUTES.evm, options: FakeVenueOptions = {}) => {
  const stage = await startSwaps({ kind, ...options })
  const quoteToken = await stage.token(anOrder({ ...route, sandbox: true }))
  const { engine, context } = stage
  return {
    ...stage,
    build: () => stage.execute(quoteToken),
    status: (ref: string) => engine.status({ quoteToken, ref }, context),
    post: () => engine.submitSignature({ quoteToken, signature: '0x1234', approvalSignature: null }, context),
  }
}

const payloadOf = async <T extends ExecutionType>(kind: T, route: OrderWish): Promise<Extract<Payload, { executionType: T }>> => {
  const { payload } = await (await play(kind, route)).build()
  expect(payload.executionType).toBe(kind)
  return payload as Extract<Payload, { executionType: T }>
}

describe('sandbox: /execute returns', () => {
  it('an EVM transaction of no coins to the sender, and an approval of the sender [sandbox-inert-payload]', async () => {
    const { payload, approval } = await (await play('TRANSACTION')).build()
    const transaction = { chainId: 1, to: WALLETS.evm, data: '0x', value: 0n }
    expect(payload).toEqual({ executionType: 'TRANSACTION', transaction })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [WALLETS.evm as `0x${string}`, 1_000_000n] })
    expect(approval).toMatchObject({
      spender: WALLETS.evm,
      amount: 1_000_000n,
      reset: null,
      transaction: { to: TOKENS.usdcEthereum.address, value: 0n, data },
    })
  })

  it('an unsigned Solana transaction of no lamports to the sender, with a memo, on an unknown blockhash', async () => {
    const { transaction } = await payloadOf('TRANSACTION', ROUTES.solana)
    expect(transaction).toMatchObject({ chainId: -2, to: WALLETS.solana, value: 0n, serialized: transaction.data })
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction.data, 'base64'))
    expect(signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true)
    const { payerKey, instructions, recentBlockhash } = TransactionMessage.decompile(message)
    expect([payerKey.toBase58(), instructions.length]).toEqual([WALLETS.solana, 2])
    const [transfer, memo] = instructions
    if (!transfer || !memo) throw new RangeError('two instructions')
    expect(transfer.programId.equals(SystemProgram.programId)).toBe(true)
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(transfer)
    expect([fromPubkey.toBase58(), toPubkey.toBase58(), lamports]).toEqual([WALLETS.solana, WALLETS.solana, 0n])
    expect(memo.programId.equals(new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'))).toBe(true)
    expect([memo.data.toString('utf8'), memo.keys]).toEqual([expect.stringMatching(/^sandbox /), []])
    expect(parseSolanaAddress(recentBlockhash)).not.toBeNull()
  })

  it('typed data that expired, for a contract that is the wallet itself, and that a wallet can hash', async () => {
    const { typedData, approvalData, chainId } = await payloadOf('SIGNATURE', ROUTES.evm)
    expect([chainId, approvalData]).toEqual([1, null])
    expect(typedData.domain).toEqual({ name: 'Sandbox', version: '1', chainId: 1, verifyingContract: WALLETS.evm })
    expect(Number(typedData.message['validTo']) * 1_000).toBeLessThan(Date.UTC(2020, 0))
    expect(typedData.message).toMatchObject({ inputAmount: '1000000', minimumOutput: '995000', recipient: WALLETS.evm })
    expect(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it.each([
    [ROUTES.evm, WALLETS.evm, 1],
    [ROUTES.solana, WALLETS.solana, -2],
    [ROUTES.bitcoin, WALLETS.bitcoin, -1],
  ] as const)('a deposit to the address of the sender, which is its ref: %o', async (route, address, chainId) => {
    const { build } = await play('DEPOSIT', route)
    const swap = await build()
    expect(swap).toMatchObject({ statusRef: address, payload: { deposit: { chainId, address, amount: 1_000_000n } } })
    expect(await build()).toEqual(swap)
  })
})

describe('sandbox', () => {
  it.each(['TRANSACTION', 'SIGNATURE', 'DEPOSIT'] as const)(
    'asks the venue for a price, and for nothing else of a %s, and stores a sandbox swap [sandbox-inert-payload]',
    async (kind) => {
      const { venue, build, status, post, store } = await play(kind)
      await build()
      await status('anything')
      if (kind === 'SIGNATURE') await post()
      expect(venue.calls).toEqual({ quote: [expect.anything()], execute: [], submit: [], track: [] })
      expect(await store.kept()).toMatchObject([{ isSandbox: true, swap: { offer: { venue: 'toy' } } }])
    },
  )

  it.each<[string, OrderWish, RegExp]>([
    ['EVM', ROUTES.evm, /^0x[0-9a-f]{64}$/],
    ['Solana', { ...ROUTES.evm, to: pair(TOKENS.usdcSolana), recipient: WALLETS.solana }, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
    ['Bitcoin', { ...ROUTES.evm, to: [-1, NATIVE], recipient: WALLETS.bitcoin }, /^[0-9a-f]{64}$/],
  ])(
    'status is success with the quoted output and a hash of %s, for any ref [sandbox-inert-payload]',
    async (_chain, route, hash) => {
      const { status } = await play('DEPOSIT', route, { quote: offers(777n) })
      const success = await status('')
      expect(success).toEqual({
        venue: 'toy',
        isTracked: true,
        state: 'success',
        venueStatus: null,
        deliveredAmount: 777n,
        txHash: expect.stringMatching(hash),
        payments: [],
      })
      expect(await status('another')).toEqual(success)
    },
  )

  it('submit-signature returns one statusRef a quote for any signature [sandbox-inert-payload]', async () => {
    const [one, other] = [await play('SIGNATURE'), await play('SIGNATURE')]
    const first = await one.post()
    expect(first).toEqual({ statusRef: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/), venue: 'toy' })
    expect(await one.post()).toEqual(first)
    expect((await other.post()).statusRef).not.toBe(first.statusRef)
  })

  it('execute is INTERNAL at a venue without sandbox, whose other swaps work [sandbox-unsupported-venue]', async () => {
    const { build, venue, swap } = await play('DEPOSIT', ROUTES.evm, { profile: { hasSandbox: false } })
    for (let call = 0; call < 2; call += 1) {
      const { publicMessage, details } = await refusalOf(build(), 'INTERNAL')
      expect([publicMessage, details]).toEqual([expect.stringContaining('toy'), { venue: 'toy' }])
    }
    expect(venue.calls.execute).toEqual([])
    await swap()
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('execute refuses previews and missing recipients', async () => {
    const profile = { bindsAtQuote: { recipient: ['always'], refundTo: [] } } as const
    const preview = await play('DEPOSIT', { ...ROUTES.evm, to: pair(TOKENS.usdcSolana) }, { profile })
    await refusalOf(preview.build(), 'QUOTE_NOT_EXECUTABLE')
    const missing = await play('DEPOSIT', { ...ROUTES.evm, to: [-2, NATIVE_SOL] })
    await refusalOf(missing.build(), 'INVALID_REQUEST')
  })
})
