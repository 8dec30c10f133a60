import { PublicKey, SystemInstruction, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { decodeFunctionData, erc20Abi, hashTypedData } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { parseEvmAddress, parseSolanaAddress } from '../../../engine/core/address.ts'
import type { BuiltSwap } from '../../../engine/core/answers.ts'
import { NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { Payload } from '../../../engine/core/execution.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, type FakeVenue, offers } from '../../support/fakeVenue.ts'
import { createTestEngine, refusalOf, type TestEngine } from '../../support/testEngine.ts'

const ERC20 = { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n } satisfies OrderWish
const FROM_SOLANA = {
  from: pair(TOKENS.usdcSolana),
  to: pair(TOKENS.usdcEthereum),
  amount: 1_000_000n,
  recipient: WALLETS.evm,
} satisfies OrderWish
const FROM_BITCOIN = {
  from: [-1, 'BTC'],
  to: pair(TOKENS.usdcEthereum),
  amount: 50_000n,
  recipient: WALLETS.evm,
} satisfies OrderWish

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Played = {
  readonly engine: TestEngine
  readonly quoteToken: string
  readonly venue: FakeVenue
  execute(): Promise<BuiltSwap>
}

const play = async (
  kind: ExecutionType,
  wish: OrderWish,
  options: Parameters<typeof createFakeVenue>[1] = {},
): Promise<Played> => {
  const venue = createFakeVenue('toy', { kind, ...options })
  const engine = await createTestEngine({ venues: [venue], chains: createFakeChains() })
  closers.push(() => engine.close())
  const { quoteToken } = await engine.engine.quote(anOrder({ ...wish, sandbox: true }), engine.context)
  const execute = () => engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
  return { engine, quoteToken, venue, execute }
}

const payloadOf = async <T extends ExecutionType>(kind: T, wish: OrderWish): Promise<Extract<Payload, { executionType: T }>> => {
  const { payload } = await (await play(kind, wish)).execute()
  if (payload.executionType !== kind) throw new TypeError(`expected a ${kind}`)
  return payload as Extract<Payload, { executionType: T }>
}

describe('a sandbox payload is inert: [sandbox-inert-payload]', () => {
  it('an EVM transaction sends nothing to the sender itself', async () => {
    const { transaction } = await payloadOf('TRANSACTION', ERC20)
    expect(transaction).toEqual({ chainId: 1, to: WALLETS.evm, data: '0x', value: 0n })
  })

  it('a Solana transaction is a zero-lamport transfer to oneself with a memo, on a blockhash no block has', async () => {
    const { transaction } = await payloadOf('TRANSACTION', FROM_SOLANA)
    expect(transaction).toMatchObject({ chainId: -2, to: WALLETS.solana, value: 0n })
    expect(transaction.serialized).toBe(transaction.data)
    const decoded = VersionedTransaction.deserialize(Buffer.from(transaction.data, 'base64'))
    expect(decoded.signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true)
    const { payerKey, instructions, recentBlockhash } = TransactionMessage.decompile(decoded.message)
    expect(payerKey.toBase58()).toBe(WALLETS.solana)
    expect(instructions).toHaveLength(2)
    const [transfer, memo] = instructions
    if (!transfer || !memo) throw new RangeError('two instructions')
    expect(transfer.programId.equals(SystemProgram.programId)).toBe(true)
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(transfer)
    expect([fromPubkey.toBase58(), toPubkey.toBase58(), lamports]).toEqual([WALLETS.solana, WALLETS.solana, 0n])
    expect(memo.programId.equals(new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'))).toBe(true)
    expect(memo.data.toString('utf8')).toMatch(/^sandbox /)
    expect(memo.keys).toEqual([])
    expect(parseSolanaAddress(recentBlockhash)).not.toBeNull()
  })

  it("typed data expired long ago, on a contract that is the sender's own wallet, and still hashes as a wallet needs it to", async () => {
    const { typedData, approvalData, chainId } = await payloadOf('SIGNATURE', ERC20)
    expect(chainId).toBe(1)
    expect(approvalData).toBeNull()
    expect(typedData.domain).toEqual({ name: 'Sandbox', version: '1', chainId: 1, verifyingContract: WALLETS.evm })
    expect(Number(typedData.message['validTo']) * 1_000).toBeLessThan(Date.UTC(2020, 0))
    expect(typedData.message).toMatchObject({ inputAmount: '1000000', minimumOutput: '995000', recipient: WALLETS.evm })
    expect(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it.each([
    ['EVM', ERC20, WALLETS.evm, 1],
    ['Solana', FROM_SOLANA, WALLETS.solana, -2],
    ['Bitcoin', FROM_BITCOIN, WALLETS.bitcoin, -1],
  ] as const)("a deposit on %s goes to the sender's own address", async (_name, wish, address, chainId) => {
    const { deposit } = await payloadOf('DEPOSIT', wish)
    expect(deposit).toEqual({ chainId, address, amount: wish.amount })
  })

  it('an approval lets the sender spend what the sender has', async () => {
    const played = await play('TRANSACTION', ERC20)
    const { approval } = await played.execute()
    expect(approval).toMatchObject({
      spender: WALLETS.evm,
      amount: 1_000_000n,
      reset: null,
      transaction: { to: TOKENS.usdcEthereum.address, value: 0n },
    })
    const { functionName, args } = decodeFunctionData({
      abi: erc20Abi,
      data: (approval?.transaction.data ?? '0x') as `0x${string}`,
    })
    expect([functionName, args]).toEqual(['approve', [WALLETS.evm, 1_000_000n]])
  })
})

describe('sandbox mode', () => {
  it('prices at the venues like any quote, and never lets them build, take a signature or track [sandbox-inert-payload]', async () => {
    for (const kind of ['TRANSACTION', 'SIGNATURE', 'DEPOSIT'] as const) {
      const { engine, quoteToken, venue, execute } = await play(kind, ERC20)
      expect(venue.calls.quote).toHaveLength(1)
      await execute()
      await engine.engine.status({ quoteToken, ref: 'anything' }, engine.context)
      if (kind === 'SIGNATURE')
        await engine.engine.submitSignature({ quoteToken, signature: '0x00', approvalSignature: null }, engine.context)
      expect([venue.calls.execute, venue.calls.submit, venue.calls.track]).toEqual([[], [], []])
    }
  })

  it("answers a deposit's statusRef with its address, and the same again when repeated", async () => {
    const { execute } = await play('DEPOSIT', ERC20)
    const first = await execute()
    expect(first.statusRef).toBe(WALLETS.evm)
    expect(await execute()).toEqual(first)
  })

  it('says at once that the quoted output was delivered, whatever the ref, with a made-up hash of the output chain [sandbox-inert-payload]', async () => {
    for (const [wish, isHash] of [
      [ERC20, /^0x[0-9a-f]{64}$/],
      [{ ...ERC20, to: pair(TOKENS.usdcSolana), recipient: WALLETS.solana }, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
      [{ ...ERC20, to: [-1, 'BTC'], recipient: WALLETS.bitcoin }, /^[0-9a-f]{64}$/],
    ] as [OrderWish, RegExp][]) {
      const { engine, quoteToken } = await play('DEPOSIT', wish, { quote: offers(777n) })
      const told = await engine.engine.status({ quoteToken, ref: '' }, engine.context)
      expect(told).toEqual({
        venue: 'toy',
        isTracked: true,
        state: 'success',
        venueStatus: null,
        deliveredAmount: 777n,
        txHash: expect.stringMatching(isHash),
        payments: [],
      })
      expect(await engine.engine.status({ quoteToken, ref: 'another' }, engine.context)).toEqual(told)
    }
  })

  it('takes any signature and answers with the same made-up statusRef every time, and another one for another quote', async () => {
    const a = await play('SIGNATURE', ERC20)
    const b = await play('SIGNATURE', ERC20)
    const submit = ({ engine, quoteToken }: Played) =>
      engine.engine.submitSignature({ quoteToken, signature: '0x1234', approvalSignature: null }, engine.context)
    const first = await submit(a)
    expect(first).toEqual({ statusRef: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/), venue: 'toy' })
    expect(await submit(a)).toEqual(first)
    expect((await submit(b)).statusRef).not.toBe(first.statusRef)
  })

  it('is INTERNAL naming the venue when that has no sandbox, on every attempt [sandbox-unsupported-venue]', async () => {
    const { execute, venue } = await play('DEPOSIT', ERC20, { profile: { hasSandbox: false } })
    for (let i = 0; i < 2; i += 1) {
      const error = await refusalOf(execute(), 'INTERNAL')
      expect(error.publicMessage).toContain('toy')
      expect(error.details).toEqual({ venue: 'toy' })
    }
    expect(venue.calls.execute).toEqual([])
  })

  it('does not change what the same venue does outside of it', async () => {
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', profile: { hasSandbox: false }, now: () => Date.UTC(2026, 10, 20) })
    const engine = await createTestEngine({ venues: [venue] })
    closers.push(() => engine.close())
    const { quoteToken } = await engine.engine.quote(anOrder(ERC20), engine.context)
    await engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('keeps the rules of previews and missing recipients', async () => {
    const preview = await play(
      'DEPOSIT',
      { ...ERC20, to: pair(TOKENS.usdcSolana) },
      { profile: { bindsAtQuote: { recipient: ['always'], refundTo: [] } } },
    )
    await refusalOf(preview.execute(), 'QUOTE_NOT_EXECUTABLE')
    const missing = await play('DEPOSIT', { ...ERC20, to: [-2, NATIVE_SOL] })
    await refusalOf(missing.execute(), 'INVALID_REQUEST')
  })

  it('marks its swaps as sandbox swaps in the store', async () => {
    const { engine, execute } = await play('DEPOSIT', ERC20)
    await execute()
    expect(await engine.store.kept()).toMatchObject([{ isSandbox: true, swap: { offer: { venue: 'toy' } } }])
  })

  it('carries addresses in the spelling clients see everywhere else', async () => {
    const { transaction } = await payloadOf('TRANSACTION', ERC20)
    expect(parseEvmAddress(transaction.to)).toBe(transaction.to)
  })
})
