import { expect, test } from 'vitest'
import { hashTypedData } from '../../../engine/chains/evm/evmCodec.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { never, signed, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { cannedCow, etherToUsdc, FEE_RECIPIENT, quoteAnswer, usdcToWeth } from './support.ts'

/**
 * An example in the documented shapes, its values invented: 1,000 USDC to WETH, fee 30 bps, slippage 50 bps. Hashes,
 * signature and calldata were computed once and are kept.
 */
const VALID_TO = 1_790_000_000
const NOW = (VALID_TO - 30 * 60) * 1_000
const APP_DATA =
  '{"appCode":"example-aggregator","metadata":{"orderClass":{"orderClass":"market"},"partnerFee":{"recipient":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","volumeBps":30},"quote":{"slippageBips":50}},"version":"1.15.0"}'
const APP_DATA_HASH = '0x85e424f248b1138838cbf53db68b1053916d1dc5858d07048eb4b86f88459e8c'
const DIGEST = '0x325ca8ff03febcad2a26065dc83fd52cb9cee2c52093dc9b99c92915cb8d2d54'
const UID = `${DIGEST}f39fd6e51aad88f6f4ce6ab8827279cfffb922666ab13b80`
const SIGNATURE =
  '0xd0bb6960c295308d53c1b00adc5d5c43048901e5f7bb67c39acaea6557fd0c1a432f3dd21facbdd7db06a2e8ae51c59cae2bbe58d697ba1d2a6da978fdde1d7e1b'
const ETH_FLOW_UID =
  '0x17568e8b864b38f28e3715f462b8c84a1dce4a53fd40b9e2fa835b5c3397f218ba3cb449bd2b4adddbc894d8697f5170800eadecffffffff'
const ETH_FLOW_DATA =
  '0x322bba21000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc0000000000000000000000000000000000000000000000000de0b6b3a764000000000000000000000000000000000000000000000000000000000000eb70378085e424f248b1138838cbf53db68b1053916d1dc5858d07048eb4b86f88459e8c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006ab13b80000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000075bcd15'

const ORDER_BODY = {
  sellToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  buyToken: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  sellAmount: '1000000000',
  buyAmount: '247804600839567914',
  validTo: VALID_TO,
  feeAmount: '0',
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}

const book = () =>
  cannedCow(
    ({ method, path, body }) => {
      if (path === '/mainnet/api/v1/quote') return { body: quoteAnswer(body as Record<string, unknown>) }
      if (path === '/mainnet/api/v1/orders') return { status: 201, body: UID }
      if (method === 'PUT') return { status: 201, body: APP_DATA_HASH }
      return { status: 404, body: { errorType: 'NotFound', description: 'Order was not found' } }
    },
    { now: () => NOW },
  )

test('the documented example is asked, priced, signed and posted digit for digit', async () => {
  const { venue, asked: calls } = book()
  const order = usdcToWeth()
  const offer = await venue.quote(order, never())
  expect(calls[0]?.body).toEqual({
    sellToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    buyToken: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    kind: 'sell',
    sellAmountBeforeFee: '1000000000',
    validTo: VALID_TO,
    appData: APP_DATA,
    appDataHash: APP_DATA_HASH,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    signingScheme: 'eip712',
    priceQuality: 'verified',
    timeout: 1_200,
  })
  expect(offer).toMatchObject({
    outputAmount: 249_049_850_090_018_004n,
    fee: { bps: 30, amount: 750_149_909_981_996n },
    slippage: { isFirm: true, guaranteedMin: 247_804_600_839_567_914n },
    expiresAt: Date.UTC(2026, 8, 21, 13, 13, 20, 123),
  })

  const execution = await venue.execute({ order, offer }, order, never())
  expect(execution.venueRef).toBe(`mainnet:${UID}`)
  const typedData = typedDataOf(execution)
  const { feeAmount, kind, ...fields } = ORDER_BODY
  expect(typedData.domain).toEqual({
    name: 'Gnosis Protocol',
    version: 'v2',
    chainId: 1,
    verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  })
  expect(typedData.primaryType).toBe('Order')
  expect(typedData.message).toEqual({ ...fields, feeAmount, kind, appData: APP_DATA_HASH })
  expect(await hashTypedData(typedData)).toBe(DIGEST)

  const signature = await signed(execution)
  expect(signature.signature).toBe(SIGNATURE)
  const submission = await venue.submitter?.submit({ order, offer, binding: order, execution }, signature, never())
  expect(submission).toEqual({ statusRef: `mainnet:${UID}` })
  expect(calls.at(-1)?.body).toEqual({
    ...ORDER_BODY,
    signingScheme: 'eip712',
    signature: SIGNATURE,
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    quoteId: 123_456_789,
    appData: APP_DATA,
    appDataHash: APP_DATA_HASH,
  })
  // The quote and the post: executing asked nothing.
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mainnet/api/v1/quote',
    'POST /mainnet/api/v1/orders',
  ])
})

test('the documented EthFlow call and its order UID come out byte for byte', async () => {
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
    data: ETH_FLOW_DATA,
    value: 10n ** 18n,
  })
  expect(execution.venueRef).toBe(`mainnet:${ETH_FLOW_UID}`)
  expect(execution.slippage?.guaranteedMin).toBe(3_950_000_000n)
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mainnet/api/v1/quote',
    `PUT /mainnet/api/v1/app_data/${APP_DATA_HASH}`,
    `GET /mainnet/api/v1/orders/${ETH_FLOW_UID}`,
  ])
  expect(calls[1]?.body).toEqual({ fullAppData: APP_DATA })
  const claims = await venue.decode(execution)
  expect(claims).toMatchObject({ recipient: WALLETS.evmOther, fee: { recipient: FEE_RECIPIENT, bps: 30 }, unread: [] })
})
