import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import {
  ACCOUNT,
  allBut,
  BITCOIN_WALLET,
  DEPOSIT_SWAP,
  OTHER_EVM,
  SIGNATURE_SWAP,
  SOLANA_WALLET,
  TRANSACTION_SWAP,
} from '../support/swaps.ts'

const PATH = '/api/v1/execute'
const BY_RELAY = { ...TRANSACTION_SWAP, excludeVenues: allBut('relay') }

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
})
afterAll(() => service.close())
afterEach(async () => {
  await service.control.clearFaults()
  // Two equal swaps of one second are refused.
  await service.control.advance(1_000)
})

const tokenFor = async (body: NonNullable<Parameters<typeof service.call<'quote'>>[1]>['body']) =>
  (await service.call('quote', { body: body as never })).quoteToken
const post = (body: unknown) => service.send('POST', PATH, { body })
const execute = (body: { quoteToken: string; destinationAddress?: string; refundAddress?: string }) =>
  service.call('execute', { body })

describe('200', () => {
  it('returns a TRANSACTION to a published contract, for exactly the quoted amount', async () => {
    const execution = await execute({ quoteToken: await tokenFor(TRANSACTION_SWAP) })
    expect(execution).toMatchObject({
      executionType: 'TRANSACTION',
      transaction: { to: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64', value: '0', chainId: 8453 },
      approval: { token: USDC.base, amount: '250000000' },
    })
  })

  it('returns a SIGNATURE with the order to sign and where to post it', async () => {
    const execution = await execute({ quoteToken: await tokenFor(SIGNATURE_SWAP) })
    expect(execution).toMatchObject({
      executionType: 'SIGNATURE',
      typedData: {
        primaryType: 'Order',
        domain: { chainId: 1 },
        message: { sellAmount: '1000000000', receiver: ACCOUNT.address },
      },
      submit: { url: '/api/v1/submit-signature' },
    })
    expect(execution).not.toHaveProperty('statusRef')
  })

  it('returns a DEPOSIT whose statusRef is the address to pay', async () => {
    const execution = await execute({ quoteToken: await tokenFor(DEPOSIT_SWAP), refundAddress: BITCOIN_WALLET })
    if (execution.executionType !== 'DEPOSIT') throw new Error(execution.executionType)
    const token = { chainId: -1, address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8, isNative: true }
    expect(execution.deposit).toEqual({ address: expect.stringMatching(/^bc1/), amount: '5000000', chainId: -1, token })
    expect(execution.statusRef).toBe(execution.deposit.address)
  })

  it.each([
    ['TRANSACTION', 'across', TRANSACTION_SWAP, ['proved', 'proved', 'proved']],
    ['SIGNATURE that moves nothing until it is filled', 'cow', SIGNATURE_SWAP, ['proved', 'proved', 'not-applicable']],
    ['DEPOSIT the venue signs for', 'near-intents', DEPOSIT_SWAP, ['proved', 'proved', 'proved']],
    [
      'DEPOSIT that nothing binds to its order',
      'relay',
      { ...DEPOSIT_SWAP, refundAddress: BITCOIN_WALLET },
      ['taken-on-trust', 'taken-on-trust', 'taken-on-trust'],
    ],
  ] as const)(
    'tells what is proved of a %s, as the quote did, on every call',
    async (_what, venue, swap, [recipient, minimum, refund]) => {
      const quote = await service.call('quote', { body: { ...swap, excludeVenues: allBut(venue) } as never })
      const proof = { recipient, minimum, refund }
      expect([quote.expectedProof, quote.venueFee]).toEqual([proof, null])
      const { quoteToken } = quote
      for (let call = 0; call < 2; call += 1) expect((await execute({ quoteToken })).proof).toEqual(proof)
    },
  )

  it('answers a repeated call with the same deposit address, also when both arrive together', async () => {
    const quoteToken = await tokenFor(DEPOSIT_SWAP)
    const [first, second] = await Promise.all([execute({ quoteToken }), execute({ quoteToken })])
    expect(second).toEqual(first)
    expect(await execute({ quoteToken })).toEqual(first)
  })

  it('opens another address for another recipient', async () => {
    const quoteToken = await tokenFor(DEPOSIT_SWAP)
    const first = await execute({ quoteToken })
    expect(await execute({ quoteToken, destinationAddress: OTHER_EVM })).not.toEqual(first)
  })

  it('binds the recipient late where the venue can', async () => {
    const { destinationAddress: _unnamed, ...unnamed } = DEPOSIT_SWAP
    const execution = await execute({ quoteToken: await tokenFor(unnamed), destinationAddress: OTHER_EVM })
    expect(execution.executionType).toBe('DEPOSIT')
  })

  it('ignores a late recipient where the venue fixed it with the quote', async () => {
    const quoteToken = await tokenFor(TRANSACTION_SWAP)
    const execution = await execute({ quoteToken, destinationAddress: OTHER_EVM })
    if (execution.executionType !== 'TRANSACTION') throw new Error(execution.executionType)
    expect(execution.ignored).toEqual(['destinationAddress'])
    expect(execution.transaction.data.toLowerCase()).toContain(ACCOUNT.address.slice(2).toLowerCase())
    expect(execution.transaction.data.toLowerCase()).not.toContain(OTHER_EVM.slice(2).toLowerCase())
  })
})

describe('200 in the sandbox', () => {
  it('hands out payloads that move nothing', async () => {
    const transaction = await execute({ quoteToken: await tokenFor({ ...TRANSACTION_SWAP, sandbox: true }) })
    expect(transaction).toMatchObject({ executionType: 'TRANSACTION', transaction: { to: ACCOUNT.address, value: '0' } })
    const deposit = await execute({ quoteToken: await tokenFor({ ...DEPOSIT_SWAP, sandbox: true }) })
    expect(deposit).toMatchObject({ executionType: 'DEPOSIT', deposit: { address: BITCOIN_WALLET, amount: '5000000' } })
    const signature = await execute({ quoteToken: await tokenFor({ ...SIGNATURE_SWAP, sandbox: true }) })
    expect(signature).toMatchObject({
      executionType: 'SIGNATURE',
      typedData: { domain: { verifyingContract: ACCOUNT.address }, message: { validTo: 1 } },
    })
  })
})

describe('400', () => {
  it('requires the quoteToken and knows no other fields', async () => {
    expect(failingPaths(expectFailure(await post({ token: 'x' }), 400, 'INVALID_REQUEST')).toSorted()).toEqual([
      'quoteToken',
      'token',
    ])
  })

  it('refuses a token with any one character changed', async () => {
    const token = await tokenFor(TRANSACTION_SWAP)
    for (const at of [0, 20, Math.floor(token.length / 2), token.length - 1]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expectFailure(await post({ quoteToken: changed }), 400, 'QUOTE_INVALID')
    }
  })

  it('asks for the recipient that a late-binding venue still needs', async () => {
    const { destinationAddress: _unnamed, ...unnamed } = DEPOSIT_SWAP
    const details = expectFailure(await post({ quoteToken: await tokenFor(unnamed) }), 400, 'INVALID_REQUEST')
    expect(failingPaths(details)).toEqual(['destinationAddress'])
  })

  it('names the late address that is not one of its chain', async () => {
    const quoteToken = await tokenFor(DEPOSIT_SWAP)
    const details = expectFailure(
      await post({ quoteToken, destinationAddress: SOLANA_WALLET, refundAddress: OTHER_EVM }),
      400,
      'INVALID_REQUEST',
    )
    expect(failingPaths(details)).toEqual(['destinationAddress', 'refundAddress'])
  })
})

describe('410', () => {
  it('refuses an expired quote, and only execute minds', async () => {
    const { quoteToken, expiresAt } = await service.call('quote', { body: DEPOSIT_SWAP })
    const { statusRef } = (await execute({ quoteToken })) as { statusRef: string }
    await service.control.advance(expiresAt - service.simnet.clock.now())
    expectFailure(await post({ quoteToken }), 410, 'QUOTE_EXPIRED')
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'pending' })
  })

  it('refuses to build at a price worse than was guaranteed', async () => {
    const quoteToken = await tokenFor(DEPOSIT_SWAP)
    await service.control.setPrice('BTC', '80000')
    const details = expectFailure(await post({ quoteToken }), 410, 'QUOTE_EXPIRED')
    await service.control.setPrice('BTC', '98400')
    expect(details).toMatchObject({ venue: 'near-intents', reason: 'priceMoved' })
  })
})

describe('422', () => {
  it('does not execute a preview, and says what is missing', async () => {
    const quoteToken = await tokenFor({ ...TRANSACTION_SWAP, outputChainId: -2, outputToken: USDC.solana })
    expect(expectFailure(await post({ quoteToken }), 422, 'QUOTE_NOT_EXECUTABLE')).toEqual({ missing: ['destinationAddress'] })
  })

  it('takes no late refund address where the venue fixed it with the quote', async () => {
    const swap = { ...DEPOSIT_SWAP, excludeVenues: allBut('relay') }
    const body = { quoteToken: await tokenFor(swap), refundAddress: BITCOIN_WALLET }
    expect(expectFailure(await post(body), 422, 'QUOTE_NOT_EXECUTABLE')).toEqual({ missing: ['refundAddress'] })
    const named = await execute({ quoteToken: await tokenFor({ ...swap, refundAddress: BITCOIN_WALLET }) })
    expect(named).toMatchObject({ executionType: 'DEPOSIT', deposit: { amount: '5000000', chainId: -1 } })
  })
})

describe('500', () => {
  it.each([
    ['near-intents', 'bad-signature', DEPOSIT_SWAP],
    ['near-intents', 'wrong-recipient', DEPOSIT_SWAP],
    ['near-intents', 'wrong-amount', DEPOSIT_SWAP],
    ['across', 'wrong-recipient', TRANSACTION_SWAP],
    ['across', 'wrong-contract', TRANSACTION_SWAP],
    ['across', 'wrong-amount', TRANSACTION_SWAP],
    ['across', 'wrong-minimum', TRANSACTION_SWAP],
    ['relay', 'wrong-recipient', BY_RELAY],
    ['relay', 'wrong-contract', BY_RELAY],
    ['relay', 'wrong-amount', BY_RELAY],
    ['relay', 'wrong-minimum', BY_RELAY],
    ['relay', 'bad-signature', BY_RELAY],
  ] as const)('refuses the payload of %s with the fault %s, but no honest one after it', async (venue, fault, swap) => {
    const quoteToken = await tokenFor(swap)
    await service.control.fault(venue, fault)
    const answer = await post({ quoteToken })
    expect(expectFailure(answer, 500, 'INTERNAL')).toMatchObject({ venue })
    expect(answer.text).not.toMatch(/"(transaction|deposit|typedData)"/)
    await service.control.clearFaults()
    expect(await execute({ quoteToken })).toMatchObject({ executionType: swap === DEPOSIT_SWAP ? 'DEPOSIT' : 'TRANSACTION' })
  })

  it('says that a retry is safe when the venue is down, and it is', async () => {
    const quoteToken = await tokenFor(DEPOSIT_SWAP)
    await service.control.fault('near-intents', 'http-500', { count: 1, path: '/v0/quote' })
    expect(expectFailure(await post({ quoteToken }), 500, 'INTERNAL')).toMatchObject({ venue: 'near-intents', retryable: true })
    expect(await execute({ quoteToken })).toMatchObject({ executionType: 'DEPOSIT' })
  })
})

describe('502', () => {
  const SOL = 'So11111111111111111111111111111111111111112'
  const NATIVE_SWAP = { inputToken: SOL, inputAmount: '1000000000' }
  const TOKEN_SWAP = { inputToken: USDC.solana, inputAmount: '250000000' }
  const swapOf = (venue: string, userAddress: string, input: typeof NATIVE_SWAP) => ({
    ...input,
    inputChainId: -2 as const,
    outputChainId: 8453 as const,
    outputToken: USDC.base,
    userAddress,
    destinationAddress: OTHER_EVM,
    excludeVenues: allBut(venue),
  })
  const fund = (address: string, token: string, amount: string) => service.control.faucet({ chainId: -2, token, address, amount })

  it.each([
    ['relay', 'SOL', NATIVE_SWAP],
    ['relay', 'tokens', TOKEN_SWAP],
    ['across', 'tokens', TOKEN_SWAP],
  ] as const)(
    'says what a Solana wallet lacks for a payment of %s in %s, before it is asked to sign',
    async (venue, _what, input) => {
      const { address } = solanaSigner(venue === 'across' ? 51 : input === NATIVE_SWAP ? 52 : 53)
      const quoteToken = await tokenFor(swapOf(venue, address, input))
      // Nothing at all; then fees, but not the amount; then both.
      expect(expectFailure(await post({ quoteToken }), 502, 'BUILD_FAILED')).toMatchObject({ venue, reason: 'insufficientFunds' })
      await fund(address, SOL, '900000000')
      if (input === TOKEN_SWAP) await fund(address, USDC.solana, '249999999')
      const details = expectFailure(await post({ quoteToken }), 502, 'BUILD_FAILED')
      expect(details).toMatchObject({
        venue,
        reason: 'insufficientFunds',
        transactionError: { InstructionError: [expect.any(Number), { Custom: 1 }] },
      })
      await fund(address, input === TOKEN_SWAP ? USDC.solana : SOL, '200000000')
      expect(await execute({ quoteToken })).toMatchObject({ executionType: 'TRANSACTION', transaction: { chainId: -2 } })
    },
  )
})

describe('broadcastViaService', () => {
  it.each([
    ['a TRANSACTION of an EVM chain', TRANSACTION_SWAP],
    ['a SIGNATURE', SIGNATURE_SWAP],
    ['a DEPOSIT', DEPOSIT_SWAP],
  ])('changes nothing of %s', async (_what, swap) => {
    const asked = await execute({ quoteToken: await tokenFor({ ...swap, broadcastViaService: true }) })
    await service.control.advance(1_000)
    const plain = await execute({ quoteToken: await tokenFor(swap) })
    expect(Object.keys(asked).toSorted()).toEqual(Object.keys(plain).toSorted())
    expect(asked).not.toHaveProperty('quoteToken')
  })

  it('is what makes a Solana TRANSACTION one to submit: without it the wallet sends it', async () => {
    const { address } = solanaSigner(54)
    await service.control.faucet({
      chainId: -2,
      token: 'So11111111111111111111111111111111111111112',
      address,
      amount: '5000000000',
    })
    const swap = {
      inputChainId: -2,
      outputChainId: 8453,
      inputToken: 'So11111111111111111111111111111111111111112',
      outputToken: USDC.base,
      inputAmount: '1000000000',
      userAddress: address,
      destinationAddress: OTHER_EVM,
      excludeVenues: allBut('relay'),
    } as const
    expect(Object.keys(await execute({ quoteToken: await tokenFor(swap) }))).toEqual(['executionType', 'transaction', 'proof'])
    const asked = await execute({ quoteToken: await tokenFor({ ...swap, broadcastViaService: true }) })
    expect(asked).toMatchObject({
      submit: { url: '/api/v1/submit-transaction' },
      statusRef: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })
})
