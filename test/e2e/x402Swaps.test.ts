import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bitcoinPayer } from '../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../scripts/client/bitcoinWallet.ts'
import { balanceOf, evmWallet } from '../../scripts/client/evm.ts'
import { carryOut, follow, fund, type Open, statesOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA, USDC } from '../../scripts/client/tokens.ts'
import type { Wallet } from '../../scripts/client/wallet.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { BASE, CALL_PRICE, type PayingClient, payingClient } from '../support/payingClient.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { EVM_HASH } from './support.ts'

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
