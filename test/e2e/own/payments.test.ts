import { ComputeBudgetProgram, Connection, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { encodeAbiParameters, hashTypedData, keccak256, type TypedDataDefinition, toBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldBy, watch } from '../../../scripts/client/balances.ts'
import { balanceOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE_SOL, SOLANA, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, SIGNATURE_SWAP } from '../../support/swaps.ts'
import { newKey } from '../journeys/attempt.ts'
import { COINS_OF, dollars, USDC_ON, units, whole } from '../sides.ts'
import { createPayers, expectSuccess, isNative, openSwap, type PayerKind, type Route } from './payers.ts'

/** Payments inside the transactions of others, on a chain: the engine's tables and the venues' events prove the judgement. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'relay', 'cow', 'kyberswap'))
})
afterAll(() => service.close())

const stateOf = async (quoteToken: string, ref: string) => (await statusOf(service, { quoteToken, ref })).status
/** What a recipient receives from now on. */
const watchDelivery = ({ to }: Route, owner: string) => watch(service, { delivered: { ...to, owner } })

const KINDS: readonly PayerKind[] = ['a contract wallet', 'an account of EIP-7702']
const ROUTES: readonly (readonly [title: string, Route])[] = [
  ['USDC by Relay', { venue: 'relay', from: dollars(USDC_ON.base), to: USDC_ON.arbitrum, stepMs: 2_000 }],
  ['ether by Relay', { venue: 'relay', from: whole(COINS_OF.base), to: USDC_ON.arbitrum, stepMs: 2_000 }],
  ["ether by CoW's EthFlow", { venue: 'cow', from: whole(COINS_OF.ethereum), to: USDC_ON.ethereum, stepMs: 6_000 }],
  ['USDC by KyberSwap to ether', { venue: 'kyberswap', from: dollars(USDC_ON.base), to: COINS_OF.base, stepMs: 1_000 }],
]

describe.each(ROUTES)('%s', (_title, route) => {
  const { chainId, token, amount } = route.from
  const payers = () => createPayers(service, chainId)
  const held = (owner: string) => heldBy(service, { chainId, token, owner })

  it.each(KINDS)('paid by %s is a success, to the unit', async (kind) => {
    const payer = await payers().newPayer(kind)
    const { offer, quoteToken, recipient, calls } = await openSwap(service, route, payer.address)
    const [before, changes] = [await held(payer.address), await watchDelivery(route, recipient)]
    const { ref, cost } = await payer.pay(calls)
    expect(before - (await held(payer.address))).toBe(BigInt(amount) + (isNative(route) ? cost : 0n))
    const delivered = await expectSuccess(service, route, { quoteToken, ref })
    expect(delivered).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? -1))
    expect(await changes()).toEqual({ delivered })
  })

  it("paid in one bundle with a stranger's swap: each succeeds by its own payment, and a third is not found", async () => {
    const newAddress = async () => (await payers().newPayer('a contract wallet')).address
    const [mine, stranger] = [await newAddress(), await newAddress()]
    const own = await openSwap(service, route, mine)
    const other = await openSwap(service, route, stranger)
    const unpaid = await openSwap(service, route, await newAddress(), own.recipient)
    const changes = await Promise.all([own, other].map(({ recipient }) => watchDelivery(route, recipient)))
    const ref = await payers().bundle([
      { sender: stranger, calls: other.calls },
      { sender: mine, calls: own.calls },
    ])
    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
    for (const [at, { quoteToken }] of [own, other].entries()) {
      const delivered = await expectSuccess(service, route, { quoteToken, ref })
      expect(await changes[at]?.()).toEqual({ delivered })
    }
    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
  })

  it('whose call fails inside a successful transaction is failed, the same payload paid later succeeds once, and a third payment is extra', async () => {
    const payer = await payers().newPayer('a contract wallet')
    const { quoteToken, calls } = await openSwap(service, route, payer.address)
    const before = await held(payer.address)
    // Without coins, or without an allowance.
    if (isNative(route)) await payers().empty(payer.address)
    const { ref: failed } = await payer.pay(calls.slice(-1))
    if (isNative(route)) await fund(service, chainId, payer.address, { [token]: before.toString() })
    expect(await held(payer.address)).toBe(before)
    await payers().bury()
    expect(await stateOf(quoteToken, failed)).toBe('failed')
    const { ref } = await payer.pay(calls)
    await expectSuccess(service, route, { quoteToken, ref })
    await fund(service, chainId, payer.address, { [token]: amount })
    const again = await payer.pay(calls)
    await payers().bury()
    expect(await statusOf(service, { quoteToken, ref: again.ref })).toMatchObject(
      // Its contract accepts no order twice.
      route.venue === 'cow'
        ? { status: 'failed' }
        : { status: 'processing', payments: [{ txHash: ref }, {}, { kind: 'extra', txHash: again.ref }] },
    )
    expect([await stateOf(quoteToken, failed), await stateOf(quoteToken, ref)]).toEqual(['failed', 'success'])
  })
})

it.each<[string, Route]>([
  ['USDC by Relay', { venue: 'relay', stepMs: 2_000, from: dollars(USDC_ON.solana), to: USDC_ON.base }],
  ['USDC by Across', { venue: 'across', stepMs: 3_000, from: dollars(USDC_ON.solana), to: USDC_ON.base }],
  ['SOL by Relay', { venue: 'relay', stepMs: 2_000, from: units(COINS_OF.solana, '2000000000'), to: USDC_ON.base }],
])(
  "Solana: %s, paid in one transaction with a stranger's swap: each succeeds by its own payment, and a third is not found",
  async (_title, route) => {
    const [wallet, stranger] = [newKey(), newKey()].map((key) => Keypair.fromSeed(toBytes(key))) as [Keypair, Keypair]
    const open = async ({ publicKey }: Keypair, recipient?: string) => {
      await fund(service, SOLANA, publicKey.toBase58(), { [NATIVE_SOL]: '1000000000' })
      return openSwap(service, route, publicKey.toBase58(), recipient)
    }
    const own = await open(wallet)
    const other = await open(stranger)
    const unpaid = await open(wallet, own.recipient)
    const changes = await watchDelivery(route, own.recipient)

    const connection = new Connection(service.control.rpcUrl(SOLANA), 'confirmed')
    const { blockhash } = await connection.getLatestBlockhash()
    const paying = [other, own].flatMap(({ transaction }) => {
      const { message } = VersionedTransaction.deserialize(Buffer.from(transaction.serialized ?? '', 'base64'))
      return TransactionMessage.decompile(message).instructions
    })
    const payments = paying.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 })
    // Two deposits of Across, which set no limit, leave no room for one in a packet.
    const instructions = payments.length < paying.length ? [limit, ...payments] : payments
    const message = new TransactionMessage({ payerKey: stranger.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([stranger, wallet])
    const ref = await connection.sendRawTransaction(transaction.serialize())

    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
    const delivered = await expectSuccess(service, route, { ...own, ref })
    await expectSuccess(service, route, { ...other, ref })
    expect(await stateOf(unpaid.quoteToken, ref)).toBe('not_found')
    expect(await changes()).toEqual({ delivered })
  },
)

it('CoW: a contract wallet approves, signs by EIP-1271, and receives the output of its order', async () => {
  const { address, pay } = await createPayers(service, 1).newPayer('a contract wallet')
  await fund(service, 1, address, { [USDC.ethereum]: SIGNATURE_SWAP.inputAmount })
  const { quoteToken, output } = await service.call('quote', { body: { ...SIGNATURE_SWAP, userAddress: address } })
  const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
  await pay([approval?.transaction ?? expect.fail('no approval')])
  expect(typedData.message).toMatchObject({ receiver: expect.stringMatching(new RegExp(address, 'i')) })

  const digest = hashTypedData(typedData as unknown as TypedDataDefinition)
  const bound = encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [digest, address])
  // Of 66 bytes: it recovers to no account.
  const signature = `0x01${(await ACCOUNT.sign({ hash: keccak256(bound) })).slice(2)}`
  const { statusRef } = await service.call('submitSignature', { body: { quoteToken, signature } })
  const order = await service.control.askVenue<object>('cow', `/mainnet/api/v1/orders/${statusRef.replace('mainnet:', '')}`)
  expect(order).toMatchObject({ owner: address.toLowerCase(), signingScheme: 'eip1271', signature })
  const end = lastOf(await follow(service, { quoteToken, ref: statusRef }, { stepMs: 1_500 }))
  expect(end).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  const held = (token: string) => balanceOf(service.control.rpcUrl(1), token, address)
  expect([await held(WETH_ETHEREUM), await held(USDC.ethereum)]).toEqual([BigInt(output.amount), 0n])
})
