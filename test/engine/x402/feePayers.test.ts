import { Keypair } from '@solana/web3.js'
import type { PaymentPayload } from '@x402/core/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { SwapError } from '../../../engine/errors.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { createPaymentOptions } from '../../../engine/x402/paymentOptions.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { type PaymentStage, startPaymentStage } from '../../support/paymentStage.ts'
import { A_RESOURCE } from '../../support/x402Bench.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
})
afterAll(() => stage.close())

/** An instance whose facilitator, of the several accounts that it pays fees from, named this one. */
const instance = (store: Store, payTo: string, feePayer: string | null) => {
  const { facilitator } = stage.simnet
  const named = { x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer } } as const
  const ports = {
    facilitator: {
      verify: facilitator.verify,
      settle: facilitator.settle,
      getSupported: async () =>
        feePayer === null ? facilitator.getSupported() : { kinds: [named], extensions: [], signers: {} },
    },
    authorizations: stage.reader,
    options: createPaymentOptions({ payTo: { evm: null, solana: payTo }, networks: [SOLANA], lifetimeSec: 300 }),
  }
  return createPaidCalls({ ports, store, holder: `of ${feePayer}`, clock: systemClock, observe: () => undefined })
}

const quote = async (calls: ReturnType<typeof instance>, payment: PaymentPayload): Promise<unknown> => {
  const text = Buffer.from(JSON.stringify(payment)).toString('base64')
  const request = { operation: 'x402Quote', requestId: 'req-1', partnerId: null, asked: {}, resource: A_RESOURCE, payment: text }
  const enter = async () => async () => undefined
  const hooks = { room: async () => undefined, enter, work: async () => '{"quote":1}' }
  return calls.serve(request, hooks).then(
    ({ answer }) => answer,
    (error: unknown) => (error instanceof SwapError ? error.details?.['reason'] : error),
  )
}

it('a payment whose fee is paid by another account than this instance was told of is settled, and has its answer everywhere [x402-fee-payer]', async () => {
  const store = createMemoryStore(systemClock)
  const { requirements, sign } = await stage.aSolanaPayer()
  const told = instance(store, requirements.payTo, null)
  const toldOther = instance(store, requirements.payTo, Keypair.generate().publicKey.toBase58())
  const [first, second] = [await sign(), await sign()]
  expect(await quote(told, first)).toBe('{"quote":1}')
  expect(await quote(toldOther, first)).toBe('{"quote":1}')
  expect(await quote(toldOther, second)).toBe('{"quote":1}')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('2001')
})

it('a payment whose fee is to be paid by nobody of the facilitator is refused', async () => {
  const { requirements, sign } = await stage.aSolanaPayer()
  const calls = instance(createMemoryStore(systemClock), requirements.payTo, null)
  const payment = await sign()
  const feePayer = Keypair.generate().publicKey.toBase58()
  expect(await quote(calls, { ...payment, accepted: { ...requirements, extra: { feePayer } } })).toBe('refused')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('1')
})
