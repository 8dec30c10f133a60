import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { allBut, BITCOIN_WALLET, DEPOSIT_SWAP, OTHER_EVM, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/execute'

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

describe('broadcastViaService [broadcast-flag]', () => {
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
