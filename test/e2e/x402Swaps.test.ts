import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bitcoinPayer } from '../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../scripts/client/bitcoinWallet.ts'
import { balanceOf, evmWallet } from '../../scripts/client/evm.ts'
import { carryOut, follow, fund, type Open, statesOf } from '../../scripts/client/swap.ts'
import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA, USDC } from '../../scripts/client/tokens.ts'
import type { Wallet } from '../../scripts/client/wallet.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { BASE, CALL_PRICE, type PayingClient, payingClient } from '../support/payingClient.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { EVM_HASH } from './support.ts'

/** The official client pays every call of a swap, the polls of its status among them; the chain shows what they cost. */

const PAY_TO = '0x402F0000000000000000000000000000000000A1'
const FUNDS = 100n * CALL_PRICE
const POLL_MS = 60_000

let service: TestService
let client: PayingClient
let heldBefore: bigint

const held = (owner: string): Promise<bigint> => balanceOf(service.control.rpcUrl(BASE), USDC.base, owner)

beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
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
  for (const receipt of receipts) expect(receipt).toMatchObject({ payer, transaction: expect.stringMatching(EVM_HASH) })
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

describe('a whole swap, every call of which is paid [x402-same-contract]', { timeout: 60_000 }, () => {
  it('TRANSACTION: quote, execute, status', async () => {
    await fund(service, BASE, ACCOUNT.address, { [NATIVE]: '1000000000000000000', [USDC.base]: TRANSACTION_SWAP.inputAmount })
    const ended = await swap(TRANSACTION_SWAP, evmWallet(service.control, ACCOUNT))
    expect(ended).toEqual({ executionType: 'TRANSACTION', state: 'success' })
    expect(pathsOf()).toEqual(['quote', 'execute', 'status'])
    await expectExact()
  })

  it('SIGNATURE: quote, execute, submit-signature, status', async () => {
    await fund(service, 1, ACCOUNT.address, { [NATIVE]: '1000000000000000000', [USDC.ethereum]: SIGNATURE_SWAP.inputAmount })
    const ended = await swap(SIGNATURE_SWAP, evmWallet(service.control, ACCOUNT))
    expect(ended).toEqual({ executionType: 'SIGNATURE', state: 'success' })
    expect(pathsOf()).toEqual(['quote', 'execute', 'submit-signature', 'status'])
    await expectExact()
  })

  it('DEPOSIT: quote, execute, status', async () => {
    const wallet = bitcoinWallet('p2wpkh', 'who pays by the call')
    await fund(service, BITCOIN, wallet.address, { [NATIVE]: '6000000' })
    const body = { ...DEPOSIT_SWAP, userAddress: wallet.address }
    const ended = await swap(body, bitcoinPayer(service.control, wallet))
    expect(ended).toEqual({ executionType: 'DEPOSIT', state: 'success' })
    expect(pathsOf()).toEqual(['quote', 'execute', 'status'])
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

  it('a token of a paid quote serves plain calls, and that of a plain one paid calls, which alone are charged', async () => {
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
