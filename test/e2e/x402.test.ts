import { generateKeyPairSigner } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { heldBy } from '../../scripts/client/balances.ts'
import { bitcoinPayer } from '../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../scripts/client/bitcoinWallet.ts'
import { balanceOf, evmWallet } from '../../scripts/client/evm.ts'
import { connectService } from '../../scripts/client/service.ts'
import { carryOut, follow, fund, type Open, statesOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA, USDC } from '../../scripts/client/tokens.ts'
import type { Wallet } from '../../scripts/client/wallet.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { BASE, CALL_PRICE, type PayingClient, payingClient } from '../support/payingClient.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP, USDC_SWAP } from '../support/swaps.ts'
import { readReceipt } from '../support/x402Bench.ts'
import { HASHES } from './journeys/delivery.ts'

const PAY_TO = '0x402F0000000000000000000000000000000000A1'
const PAY_TO_SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const FUNDS = 100n * CALL_PRICE
const POLL_MS = 60_000

let service: TestService
let client: PayingClient
let heldBefore: bigint

const held = (owner: string): Promise<bigint> => balanceOf(service.control.rpcUrl(BASE), USDC.base, owner)

beforeAll(async () => {
  service = await startService({ ...only('across', 'cow', 'near-intents', 'relay'), X402_PAY_TO_SOLANA: PAY_TO_SOLANA })
})
afterAll(() => service.close())
beforeEach(async () => {
  client = await payingClient(service, FUNDS)
  heldBefore = await held(PAY_TO)
})

const pathsOf = (): readonly string[] => {
  const paths = client.receipts.map(({ path }) => path.replace('/api/v1/x402/', ''))
  return paths.filter((path, i) => path !== paths[i - 1])
}

/** Each answer was paid once, by a transaction of its own, and nothing else was. */
const expectExact = async (): Promise<void> => {
  const { receipts, payer } = client
  const cost = BigInt(receipts.length) * CALL_PRICE
  expect(FUNDS - (await held(payer))).toBe(cost)
  expect((await held(PAY_TO)) - heldBefore).toBe(cost)
  expect(new Set(receipts.map(({ transaction }) => transaction)).size).toBe(receipts.length)
  for (const receipt of receipts) expect(receipt).toMatchObject({ payer, transaction: expect.stringMatching(HASHES.evm) })
}

const end = async (swap: Open): Promise<string | undefined> =>
  statesOf(await follow({ ...client, control: service.control }, swap, { stepMs: POLL_MS })).at(-1)

/** From the quote to its end, every call of it paid. */
const swap = async (body: QuoteRequest, wallet: Wallet) => {
  const quote = await client.call('quote', { body })
  const { quoteToken } = quote
  const execution = await client.call('execute', { body: { quoteToken } })
  const { ref } = await carryOut(execution, quote, { service: client, wallet })
  return { executionType: execution.executionType, state: await end({ quoteToken, ref }) }
}

describe('a swap with every call paid [x402-same-contract]', { timeout: 60_000 }, () => {
  const bitcoin = bitcoinWallet('p2wpkh', 'who pays by the call')
  const ETHER = '1000000000000000000'
  const SWAPS: readonly (readonly [string, QuoteRequest, string, { readonly [token: string]: string }, readonly string[]])[] = [
    ['TRANSACTION', TRANSACTION_SWAP, ACCOUNT.address, { [NATIVE]: ETHER, [USDC.base]: TRANSACTION_SWAP.inputAmount }, []],
    [
      'SIGNATURE',
      SIGNATURE_SWAP,
      ACCOUNT.address,
      { [NATIVE]: ETHER, [USDC.ethereum]: SIGNATURE_SWAP.inputAmount },
      ['submit-signature'],
    ],
    ['DEPOSIT', { ...DEPOSIT_SWAP, userAddress: bitcoin.address }, bitcoin.address, { [NATIVE]: '6000000' }, []],
  ]
  it.each(SWAPS)('%s: from the quote to the status', async (executionType, body, owner, funds, submit) => {
    await fund(service, body.inputChainId, owner, funds)
    const wallet = executionType === 'DEPOSIT' ? bitcoinPayer(service.control, bitcoin) : evmWallet(service.control, ACCOUNT)
    expect(await swap(body, wallet)).toEqual({ executionType, state: 'success' })
    expect(pathsOf()).toEqual(['quote', 'execute', ...submit, 'status'])
    await expectExact()
  })

  it('TRANSACTION that the service broadcasts: quote, execute, submit-transaction, status', async () => {
    const wallet = solanaSigner(91)
    await fund(service, SOLANA, wallet.address, { [NATIVE_SOL]: '5000000000' })
    const body = {
      inputChainId: SOLANA,
      outputChainId: BASE,
      inputToken: NATIVE_SOL,
      outputToken: USDC.base,
      inputAmount: '1000000000',
      userAddress: wallet.address,
      destinationAddress: ACCOUNT.address,
      broadcastViaService: true,
      excludeVenues: allBut('relay'),
    }
    const quote = await client.call('quote', { body })
    const execution = await client.call('execute', { body: { quoteToken: quote.quoteToken } })
    if (execution.executionType !== 'TRANSACTION' || !execution.submit) return expect.fail('nothing to submit')
    expect(execution.submit.url).toBe('/api/v1/submit-transaction')
    const { quoteToken = '', statusRef = '', transaction } = execution
    const signedTransaction = wallet.sign(transaction.serialized ?? '')
    await client.call('submitTransaction', { body: { quoteToken, signedTransaction } })
    expect(await end({ quoteToken, ref: statusRef })).toBe('success')
    expect(pathsOf()).toEqual(['quote', 'execute', 'submit-transaction', 'status'])
    await expectExact()
  })

  it('tokens of paid quotes work in plain calls, and of plain quotes in paid calls, which alone are charged', async () => {
    const paid = await client.call('quote', { body: DEPOSIT_SWAP })
    const plain = await service.call('quote', { body: DEPOSIT_SWAP })
    const [first, second] = [
      await service.call('execute', { body: { quoteToken: paid.quoteToken } }),
      await client.call('execute', { body: { quoteToken: plain.quoteToken } }),
    ]
    expect([first.executionType, second.executionType]).toEqual(['DEPOSIT', 'DEPOSIT'])
    expect(pathsOf()).toEqual(['quote', 'execute'])
    await expectExact()
  })
})

it('a quote paid for on Solana by the official client is answered and charged once, and again with the same answer [x402-solana]', async () => {
  const signer = await generateKeyPairSigner()
  await fund(service, SOLANA, PAY_TO_SOLANA, { [USDC.solana]: '1' })
  await fund(service, SOLANA, signer.address, { [USDC.solana]: '5000' })
  const balances = () =>
    Promise.all([signer.address, PAY_TO_SOLANA].map((owner) => heldBy(service, { chainId: SOLANA, token: USDC.solana, owner })))
  const scheme = new ExactSvmScheme(signer, { rpcUrl: service.simnet.rpcUrls['-2'] ?? '' })
  const sent: string[] = []
  const watched: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const payment = request.headers.get('payment-signature')
    if (payment) sent.push(payment)
    return fetch(request)
  }
  const paying = wrapFetchWithPayment(watched, new x402Client().register('solana:*', scheme)) as typeof fetch
  const quote = ({ send }: Pick<TestService, 'send'>, body: QuoteRequest, headers = {}) =>
    send('POST', '/api/v1/x402/quote', { body, headers })

  const first = await quote(connectService(service.url, paying), USDC_SWAP)
  expect(first).toMatchObject({ status: 200, body: { data: { quoteToken: expect.any(String) } } })
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const receipt = readReceipt(first.headers.get('payment-response') ?? undefined)
  expect(receipt).toMatchObject({ success: true, payer: signer.address, network })
  expect(await balances()).toEqual([4_000n, 1_001n])

  expect(sent).toHaveLength(1)
  const headers = { 'payment-signature': sent[0] ?? '' }
  const { data } = first.body as { data: object }
  expect(await quote(service, USDC_SWAP, headers)).toMatchObject({ status: 200, body: { data } })
  const other = await quote(service, { ...USDC_SWAP, inputAmount: '26000000' }, headers)
  expect(other).toMatchObject({ status: 402, body: { error: { details: { reason: 'spent' } } } })
  expect(await balances()).toEqual([4_000n, 1_001n])
})
