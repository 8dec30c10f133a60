import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { Hex, SignaturePayload, TypedData } from '../../../engine/core/execution.ts'
import type { Engine } from '../../../engine/engine.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, type FakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, type FakeVenue, fails, ignoresSignal, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

/** Well-known development keys; nobody's money. */
const ALICE = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const MALLORY = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const CONTRACT_WALLET = addressOf('evm', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0')

const ORDER = { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n } satisfies OrderWish
const now = () => START_AT

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0)) await close()
})

type Bench = { readonly engine: TestEngine; readonly venue: FakeVenue; readonly chains: FakeChains; readonly quoteToken: string }

const bench = async (
  wish: Partial<OrderWish> = {},
  venue: FakeVenue = createFakeVenue('toy', { kind: 'SIGNATURE', now }),
): Promise<Bench> => {
  const chains = createFakeChains()
  const engine = await createTestEngine({ venues: [venue], chains })
  closers.push(() => engine.close())
  const { quoteToken } = await engine.engine.quote(anOrder({ ...ORDER, ...wish }), engine.context)
  return { engine, venue, chains, quoteToken }
}

const execute = async ({ engine, quoteToken }: Bench, destinationAddress: string | null = null): Promise<SignaturePayload> => {
  const { payload } = await engine.engine.execute({ quoteToken, destinationAddress, refundAddress: null }, engine.context)
  if (payload.executionType !== 'SIGNATURE') throw new TypeError('expected a SIGNATURE')
  return payload
}

type ToSign = Parameters<typeof ALICE.signTypedData>[0]
const sign = (typedData: TypedData, account = ALICE): Promise<Hex> => account.signTypedData(typedData as unknown as ToSign)

const submit = (
  { engine, quoteToken }: Bench,
  signature: Hex,
  approvalSignature: Hex | null = null,
): ReturnType<Engine['submitSignature']> =>
  engine.engine.submitSignature({ quoteToken, signature, approvalSignature }, engine.context)

const fieldsOf = (details: unknown): string[] => (details as { fields: { path: string }[] }).fields.map(({ path }) => path)

describe('a signature', () => {
  it('by the sender goes to the venue with the swap it belongs to', async () => {
    const on = await bench()
    const { typedData } = await execute(on)
    const signature = await sign(typedData)
    expect(await submit(on, signature)).toEqual({ statusRef: 'toy-order-1', venue: 'toy' })
    expect(on.venue.calls.submit).toHaveLength(1)
    expect(on.venue.calls.submit[0]?.signed).toEqual({ signature, approvalSignature: null, scheme: 'ecdsa' })
    expect(on.venue.calls.submit[0]?.swap).toMatchObject({
      binding: { recipient: WALLETS.evm },
      execution: { venueRef: 'toy-order-1' },
    })
    expect(on.engine.reported('signature.submitted')).toMatchObject([{ requestId: 'req-1', venue: 'toy' }])
    expect(on.chains.calls.map(({ method }) => method)).not.toContain('isValidContractSignature')
  })

  it.each<[string, (typedData: TypedData) => Promise<Hex>]>([
    ['by another key', (typedData) => sign(typedData, MALLORY)],
    ['over another amount', (typedData) => sign({ ...typedData, message: { ...typedData.message, inputAmount: '2' } })],
    ['for another chain', (typedData) => sign({ ...typedData, domain: { ...typedData.domain, chainId: 10 } })],
    [
      'for another contract',
      (typedData) => sign({ ...typedData, domain: { ...typedData.domain, verifyingContract: WALLETS.evmOther } }),
    ],
    [
      'over the digest as a plain message',
      (typedData) => ALICE.signMessage({ message: { raw: hashTypedData(typedData as Parameters<typeof hashTypedData>[0]) } }),
    ],
    ['cut short', async (typedData) => (await sign(typedData)).slice(0, -2) as Hex],
    ['with a byte too many', async (typedData) => `${await sign(typedData)}00`],
    ['of no bytes', async () => '0x'],
    ['of zeros', async () => `0x${'00'.repeat(65)}`],
    ['of half a byte', async () => '0x1'],
  ])('%s is refused and reaches no venue [signature-of-sender]', async (_what, forge) => {
    const on = await bench()
    const { typedData } = await execute(on)
    const { details } = await refusalOf(submit(on, await forge(typedData)), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['signature'])
    expect(on.venue.calls.submit).toEqual([])
  })

  it('is refused before /execute was called', async () => {
    const on = await bench()
    const { details } = await refusalOf(submit(on, `0x${'11'.repeat(65)}`), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['quoteToken'])
  })

  it.each(['TRANSACTION', 'DEPOSIT'] as const)('is refused for a quote won with a %s', async (kind) => {
    const on = await bench({}, createFakeVenue('toy', { kind, now }))
    await on.engine.engine.execute(
      { quoteToken: on.quoteToken, destinationAddress: null, refundAddress: null },
      on.engine.context,
    )
    const { details } = await refusalOf(submit(on, '0x12'), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['quoteToken'])
  })

  it('is refused with a token that was altered', async () => {
    const on = await bench()
    await refusalOf(submit({ ...on, quoteToken: `${on.quoteToken}A` }, '0x12'), 'QUOTE_INVALID')
  })

  it('is taken after the quote has expired: signing takes as long as it takes [signature-too-late-410]', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    on.engine.clock.at += 3_600_000
    expect(await submit(on, signature)).toMatchObject({ venue: 'toy' })
  })
})

describe('a contract wallet [signature-contract-wallet]', () => {
  const SIGNATURE: Hex = '0xdeadbeef'

  it('is asked on its own chain about the digest, and what it accepts is submitted as EIP-1271', async () => {
    const on = await bench({ sender: CONTRACT_WALLET })
    on.chains.script.isValidContractSignature = async ({ signature }) => signature === SIGNATURE
    const { typedData } = await execute(on)
    await submit(on, SIGNATURE)
    expect(on.chains.calls.filter(({ method }) => method === 'isValidContractSignature').map(({ query }) => query)).toEqual([
      {
        chainId: 1,
        signer: CONTRACT_WALLET,
        digest: hashTypedData(typedData as Parameters<typeof hashTypedData>[0]),
        signature: SIGNATURE,
      },
    ])
    expect(on.venue.calls.submit[0]?.signed.scheme).toBe('eip1271')
  })

  it('that refuses the signature ends it', async () => {
    const on = await bench({ sender: CONTRACT_WALLET })
    await execute(on)
    await refusalOf(submit(on, SIGNATURE), 'INVALID_REQUEST')
    expect(on.venue.calls.submit).toEqual([])
  })

  it.each(['unreachable', 'timeout'] as const)(
    'whose chain is %s: INTERNAL, to be tried again, and nothing was submitted',
    async (failure) => {
      const on = await bench({ sender: CONTRACT_WALLET })
      await execute(on)
      on.chains.script.isValidContractSignature = chainFails(failure, 1)
      const error = await refusalOf(submit(on, SIGNATURE), 'INTERNAL')
      expect(error.details).toEqual({ retryable: true })
      expect(on.venue.calls.submit).toEqual([])
      on.chains.script.isValidContractSignature = async () => true
      await submit(on, SIGNATURE)
      expect(on.venue.calls.submit).toHaveLength(1)
    },
  )

  it('is no way around a defect of ours', async () => {
    const on = await bench({ sender: CONTRACT_WALLET })
    await execute(on)
    on.chains.script.isValidContractSignature = () => Promise.reject(new TypeError('a bug'))
    await expect(submit(on, SIGNATURE)).rejects.toThrow(TypeError)
  })
})

describe('the same signature again [signature-repeat-once]', () => {
  it('answers with the same statusRef and does not reach the venue twice', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    const first = await submit(on, signature)
    on.venue.script.submit = async () => ({ statusRef: 'a second order' })
    expect(await submit(on, signature)).toEqual(first)
    expect(on.venue.calls.submit).toHaveLength(1)
  })

  it('reaches the venue once where the same order is posted by both forms of a signature at a time', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    const rest = secp256k1.Point.CURVE().n - BigInt(`0x${signature.slice(66, 130)}`)
    const other: Hex = `0x${signature.slice(2, 66)}${rest.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
    const answers = await Promise.all([submit(on, signature), submit(on, other)])
    expect(answers.map(({ statusRef }) => statusRef)).toEqual(['toy-order-1', 'toy-order-1'])
    expect(on.venue.calls.submit).toHaveLength(1)
  })

  it('at the same time reaches the venue once', async () => {
    const on = await bench()
    on.venue.script.submit = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return { statusRef: 'toy-order-9' }
    }
    const signature = await sign((await execute(on)).typedData)
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(on, signature)))
    expect(new Set(answers.map(({ statusRef }) => statusRef))).toEqual(new Set(['toy-order-9']))
    expect(on.venue.calls.submit).toHaveLength(1)
  })

  it('after a restart does not reach the venue', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    const first = await submit(on, signature)
    const venue = createFakeVenue('toy', { kind: 'SIGNATURE', now })
    const restarted = await createTestEngine({ venues: [venue], store: on.engine.store })
    expect(await submit({ ...on, engine: restarted }, signature)).toEqual(first)
    expect(venue.calls.submit).toEqual([])
  })

  it('after a failure reaches the venue again', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    on.venue.script.submit = fails(new VenueError('unavailable', 'down'))
    await refusalOf(submit(on, signature), 'INTERNAL')
    on.venue.script.submit = async () => ({ statusRef: 'toy-order-2' })
    expect((await submit(on, signature)).statusRef).toBe('toy-order-2')
  })
})

describe('a store in trouble', () => {
  const stopWrites = ({ engine }: Bench, isStopped: boolean): void => {
    engine.store.fails = (call) => isStopped && isWrite(call)
  }

  const executed = async () => {
    const on = await bench()
    return { on, signature: await sign((await execute(on)).typedData) }
  }

  it('has the swap reserved before the venue gets the signature [signature-repeat-once]', async () => {
    const { on, signature } = await executed()
    const seen: unknown[] = []
    on.venue.script.submit = async () => {
      seen.push(...(await on.engine.store.kept()).map(({ postingAt, submittedAt }) => ({ postingAt, submittedAt })))
      return { statusRef: 'toy-order-1' }
    }
    await submit(on, signature)
    expect(seen).toEqual([{ postingAt: START_AT, submittedAt: null }])
  })

  it('before the venue gets the signature: nothing is posted, and posting it again works', async () => {
    const { on, signature } = await executed()
    stopWrites(on, true)
    const { details } = await refusalOf(submit(on, signature), 'INTERNAL')
    expect(details).toEqual({ retryable: true })
    expect(on.venue.calls.submit).toEqual([])
    stopWrites(on, false)
    expect(await submit(on, signature)).toEqual({ statusRef: 'toy-order-1', venue: 'toy' })
  })

  it('after the venue took the signature loses nothing of what it said, then or later', async () => {
    const { on, signature } = await executed()
    on.venue.script.submit = async () => {
      stopWrites(on, true)
      return { statusRef: 'toy-order-7' }
    }
    const first = await submit(on, signature)
    expect(first).toEqual({ statusRef: 'toy-order-7', venue: 'toy' })
    expect(on.engine.reported('store.failed')).toMatchObject([
      { requestId: 'req-1', reason: expect.stringMatching(/swaps\.set/) },
    ])
    expect(await submit(on, signature)).toEqual(first)
    stopWrites(on, false)
    expect(await submit(on, signature)).toEqual(first)
    expect(on.venue.calls.submit).toHaveLength(1)
    const restarted = await createTestEngine({ venues: [on.venue], store: on.engine.store })
    expect(await submit({ ...on, engine: restarted }, signature)).toEqual(first)
    expect(on.venue.calls.submit).toHaveLength(1)
  })

  it('and a process that ended in between: the same signature goes to the venue again, as the same order', async () => {
    const { on, signature } = await executed()
    on.venue.script.submit = async () => {
      stopWrites(on, true)
      return { statusRef: 'toy-order-1' }
    }
    const first = await submit(on, signature)
    const restarted = await createTestEngine({ venues: [on.venue], store: on.engine.store })
    expect(await submit({ ...on, engine: restarted }, signature)).toEqual(first)
  })
})

describe('several executions of one quote [signature-of-sender]', () => {
  it('are told apart by what was signed', async () => {
    const on = await bench()
    const [mine, theirs] = [await execute(on), await execute(on, WALLETS.evmOther)]
    const [first, second] = [await submit(on, await sign(mine.typedData)), await submit(on, await sign(theirs.typedData))]
    expect([first.statusRef, second.statusRef]).toEqual(['toy-order-1', 'toy-order-2'])
    expect(on.venue.calls.submit.map(({ swap }) => swap.binding.recipient)).toEqual([WALLETS.evm, WALLETS.evmOther])
  })

  it('need no chain for a wallet with a key, whichever of them it signed', async () => {
    const on = await bench()
    const [mine] = [await execute(on), await execute(on, WALLETS.evmOther)]
    on.chains.script.isValidContractSignature = chainFails('unreachable', 1)
    expect((await submit(on, await sign(mine.typedData))).statusRef).toBe('toy-order-1')
  })

  it('are all refused for a signature over none of them', async () => {
    const on = await bench()
    const { typedData } = await execute(on)
    await execute(on, WALLETS.evmOther)
    await refusalOf(submit(on, await sign(typedData, MALLORY)), 'INVALID_REQUEST')
  })
})

describe('an approval by signature [signature-of-sender]', () => {
  const approvalData: TypedData = {
    domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: TOKENS.usdcEthereum.address },
    types: {
      Permit: [
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { spender: TOY_CONTRACT, value: '1000000' },
  }

  const withApproval = async (wish: Partial<OrderWish> = {}) => {
    const venue = createFakeVenue('toy', { kind: 'SIGNATURE', now })
    venue.script.alter = (execution) => ({ ...execution, payload: { ...(execution.payload as SignaturePayload), approvalData } })
    venue.script.decode = async (claims) => ({ ...claims, approval: { spender: TOY_CONTRACT, amount: 1_000_000n } })
    const on = await bench(wish, venue)
    const { typedData, approvalData: shown } = await execute(on)
    expect(shown).toEqual(approvalData)
    return { on, signature: await sign(typedData) }
  }

  it('is required where /execute asked for it', async () => {
    const { on, signature } = await withApproval()
    const { details } = await refusalOf(submit(on, signature), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['approvalSignature'])
    expect(on.venue.calls.submit).toEqual([])
  })

  it('is refused where /execute asked for none', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    const { details } = await refusalOf(submit(on, signature, await sign(approvalData)), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['approvalSignature'])
    expect(on.venue.calls.submit).toEqual([])
  })

  it("must be the sender's over exactly that message", async () => {
    const { on, signature } = await withApproval()
    for (const wrong of [
      signature,
      await sign(approvalData, MALLORY),
      await sign({ ...approvalData, message: { spender: TOY_CONTRACT, value: '9' } }),
    ]) {
      const { details } = await refusalOf(submit(on, signature, wrong), 'INVALID_REQUEST')
      expect(fieldsOf(details)).toEqual(['approvalSignature'])
    }
    expect(on.venue.calls.submit).toEqual([])
  })

  it('goes along when it is right', async () => {
    const { on, signature } = await withApproval()
    const approvalSignature = await sign(approvalData)
    await submit(on, signature, approvalSignature)
    expect(on.venue.calls.submit[0]?.signed).toEqual({ signature, approvalSignature, scheme: 'ecdsa' })
  })

  it('may be accepted by a contract wallet, which is asked about each of the two messages', async () => {
    const { on } = await withApproval({ sender: CONTRACT_WALLET })
    const accepted: Hex[] = ['0xaa']
    on.chains.script.isValidContractSignature = async ({ signature }) => accepted.includes(signature)
    const { details } = await refusalOf(submit(on, '0xaa', '0xbb'), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['approvalSignature'])
    accepted.push('0xbb')
    await submit(on, '0xaa', '0xbb')
    expect(on.venue.calls.submit[0]?.signed).toEqual({ signature: '0xaa', approvalSignature: '0xbb', scheme: 'eip1271' })
    const asked = on.chains.calls.filter(({ method }) => method === 'isValidContractSignature').map(({ query }) => query)
    const digest = hashTypedData(approvalData as Parameters<typeof hashTypedData>[0])
    expect(asked.at(-1)).toEqual({ chainId: 1, signer: CONTRACT_WALLET, digest, signature: '0xbb' })
  })

  it('by the key of an account with code is refused where the code accepts the order alone', async () => {
    const { on, signature } = await withApproval()
    on.chains.script.code = async () => `0xef0100${'11'.repeat(20)}`
    on.chains.script.isValidContractSignature = async (query) => query.signature === signature
    const { details } = await refusalOf(submit(on, signature, await sign(approvalData)), 'INVALID_REQUEST')
    expect(fieldsOf(details)).toEqual(['approvalSignature'])
    expect(on.venue.calls.submit).toEqual([])
  })

  it('that is wrong is refused even while the right one is on its way', async () => {
    const { on, signature } = await withApproval()
    let answer = (_ref: { statusRef: string }): void => undefined
    on.venue.script.submit = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const right = submit(on, signature, await sign(approvalData))
    while (on.venue.calls.submit.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await refusalOf(submit(on, signature, signature), 'INVALID_REQUEST')
    answer({ statusRef: 'toy-order-1' })
    expect((await right).statusRef).toBe('toy-order-1')
  })
})

describe('a venue that does not take the signature', () => {
  it.each([
    ['badRequest', { party: 'signature' }, 'INVALID_REQUEST', { fields: [{ path: 'signature' }] }],
    ['badRequest', { party: 'sender' }, 'INVALID_REQUEST', { fields: [{ path: 'userAddress' }] }],
    ['noLiquidity', {}, 'QUOTE_EXPIRED', { venue: 'toy', reason: 'noLiquidity' }],
    ['unavailable', {}, 'INTERNAL', { venue: 'toy', kind: 'unavailable', retryable: true }],
  ] as const)('because of %s (%o) is %s [signature-too-late-410]', async (kind, options, code, details) => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    on.venue.script.submit = fails(new VenueError(kind, 'their words', options))
    const error = await refusalOf(submit(on, signature), code)
    expect(error.details).toMatchObject(details)
    expect(on.engine.called('submit')).toMatchObject([{ call: 'submit', kind, reason: 'their words' }])
    expect(on.engine.reported('signature.submitted')).toEqual([])
  })

  it('because its adapter broke, or never ends, is INTERNAL', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    on.venue.script.submit = fails(new TypeError('x'))
    expect((await refusalOf(submit(on, signature), 'INTERNAL')).details).toMatchObject({ kind: 'badResponse' })
    on.venue.script.submit = ignoresSignal
    fakeTime()
    const call = refusalOf(submit(on, signature), 'INTERNAL')
    while (on.venue.calls.submit.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await advance(10_000)
    expect((await call).details).toMatchObject({ kind: 'timeout', retryable: true })
  })

  it('because this service knows it no more is refused without an answer that could be taken for a success', async () => {
    const on = await bench()
    const signature = await sign((await execute(on)).typedData)
    const without = await createTestEngine({ venues: [createFakeVenue('other')], store: on.engine.store })
    await refusalOf(submit({ ...on, engine: without }, signature), 'INVALID_REQUEST')
  })
})
