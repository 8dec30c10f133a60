import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { createPaymentOptions } from '../../../engine/x402/paymentOptions.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { type PaymentStage, payFor, startPaymentStage } from '../../support/paymentStage.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
})
afterAll(() => stage.close())

const anAccount = (): string => Keypair.generate().publicKey.toBase58()

/** Instances over one store. The facilitator names each the given one of its fee accounts; null: the one that pays. */
const instances = (payTo: string, ...feePayers: readonly (string | null)[]) => {
  const store = createMemoryStore(systemClock)
  const { verify, settle, getSupported } = stage.simnet.facilitator
  const options = createPaymentOptions({ payTo: { evm: null, solana: payTo }, networks: [SOLANA], lifetimeSec: 300 })
  return feePayers.map((feePayer) => {
    const kind = { x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer } } as const
    const named = async () => ({ kinds: [kind], extensions: [], signers: {} })
    const facilitator = { verify, settle, getSupported: feePayer === null ? getSupported : named }
    const ports = { facilitator, authorizations: stage.reader, options }
    return createPaidCalls({ ports, store, holder: `of ${feePayer}`, clock: systemClock, observe: () => undefined })
  })
}

it('fee payer: a payment is settled once and answered at every instance, whichever account an instance was named [x402-fee-payer]', async () => {
  const { requirements, sign } = await stage.aSolanaPayer()
  const [one, other] = instances(requirements.payTo, null, anAccount()) as [ReturnType<typeof createPaidCalls>, never]
  const [first, second] = [await sign(), await sign()]
  expect(await payFor(one, first)).toBe('{"quote":1}')
  expect(await payFor(other, first)).toBe('{"quote":1}')
  expect(await payFor(other, second)).toBe('{"quote":1}')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('2001')
})

it("fee payer: a payment that names an account which is not the facilitator's is refused, and nothing is charged", async () => {
  const { requirements, sign } = await stage.aSolanaPayer()
  const [calls] = instances(requirements.payTo, null) as [ReturnType<typeof createPaidCalls>]
  const accepted = { ...requirements, extra: { feePayer: anAccount() } }
  expect(await payFor(calls, { ...(await sign()), accepted })).toBe('refused')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('1')
})
