import { expect, test } from 'vitest'
import { hashTypedData } from '../../../engine/chains/evm/evmCodec.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { never, signed, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { type Body, cannedCow, etherToUsdc, quoteAnswer, usdcToWeth } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

/** `vectors.json`: invented values in documented shapes: 1,000 USDC to WETH, fee 30 bps, slippage 50 bps. */
const { appData, appDataHash, digest, signature, ethFlowUid, ethFlowData, order: signedOrder, quoteRequest } = vectors
const VALID_TO = 1_790_000_000
const NOW = (VALID_TO - 30 * 60) * 1_000
const UID = `${digest}f39fd6e51aad88f6f4ce6ab8827279cfffb922666ab13b80`

const book = () =>
  cannedCow(
    ({ method, path, body }) => {
      if (path === '/mainnet/api/v1/quote') return { body: quoteAnswer(body as Body) }
      if (path === '/mainnet/api/v1/orders') return { status: 201, body: UID }
      if (method === 'PUT') return { status: 201, body: appDataHash }
      return { status: 404, body: { errorType: 'NotFound', description: 'Order was not found' } }
    },
    { now: () => NOW },
  )

test('cow: the documented example is requested, priced, signed and posted exactly', async () => {
  const { venue, asked: calls } = book()
  const order = usdcToWeth()
  const offer = await venue.quote(order, never())
  expect(calls[0]?.body).toEqual(quoteRequest)
  expect(offer).toMatchObject({
    outputAmount: 249_049_850_090_018_004n,
    fee: { bps: 30, amount: 750_149_909_981_996n },
    slippage: { isFirm: true, guaranteedMin: 247_804_600_839_567_914n },
    expiresAt: Date.UTC(2026, 8, 21, 13, 13, 20, 123),
  })

  const execution = await venue.execute({ order, offer }, order, never())
  expect(execution.venueRef).toBe(`mainnet:${UID}`)
  const typedData = typedDataOf(execution)
  expect(typedData.domain).toEqual({
    name: 'Gnosis Protocol',
    version: 'v2',
    chainId: 1,
    verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  })
  expect(typedData.primaryType).toBe('Order')
  expect(typedData.message).toEqual({ ...signedOrder, appData: appDataHash })
  expect(await hashTypedData(typedData)).toBe(digest)

  const payload = await signed(execution)
  expect(payload.signature).toBe(signature)
  const submission = await venue.submitter?.submit({ order, offer, binding: order, execution }, payload, never())
  expect(submission).toEqual({ statusRef: `mainnet:${UID}` })
  expect(calls.at(-1)?.body).toEqual({
    ...signedOrder,
    signingScheme: 'eip712',
    signature,
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    quoteId: 123_456_789,
    appData,
    appDataHash,
  })
  // The quote and the post: executing asked nothing.
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mainnet/api/v1/quote',
    'POST /mainnet/api/v1/orders',
  ])
})

test('cow: the documented EthFlow call and its order UID match byte for byte', async () => {
  const { venue, asked: calls } = book()
  const order = etherToUsdc()
  const quoted = await venue.quote(order, never())
  // The quote id ends in 5 modulo 8, which the minimum is raised by.
  const guaranteedMin = toAmount(3_949_999_995n)
  const offer = { ...quoted, outputAmount: toAmount(3_970_000_000n), slippage: { isFirm: true, guaranteedMin } }
  const execution = await venue.execute({ order, offer }, order, never())
  expect(transactionOf(execution)).toEqual({
    chainId: 1,
    to: '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC',
    data: ethFlowData,
    value: 10n ** 18n,
  })
  expect(execution.venueRef).toBe(`mainnet:${ethFlowUid}`)
  expect(execution.slippage?.guaranteedMin).toBe(3_950_000_000n)
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mainnet/api/v1/quote',
    `PUT /mainnet/api/v1/app_data/${appDataHash}`,
    `GET /mainnet/api/v1/orders/${ethFlowUid}`,
  ])
  expect(calls[1]?.body).toEqual({ fullAppData: appData })
})
