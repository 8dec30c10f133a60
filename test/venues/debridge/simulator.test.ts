import { expect, test } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { FEE_RECIPIENT, openBench, RECIPIENT_SOLANA, STRANGER, USDC_MONAD } from './support.ts'

const open = closedAfterEach(openBench)

const QUESTION: { readonly [name: string]: string } = {
  ...{ srcChainId: '8453', srcChainTokenIn: USDC.base, srcChainTokenInAmount: '250000000' },
  ...{ dstChainId: '42161', dstChainTokenOut: USDC.arbitrum, dstChainTokenOutAmount: 'auto' },
  ...{ senderAddress: WALLETS.evm, srcChainOrderAuthorityAddress: WALLETS.evm, dstChainOrderAuthorityAddress: WALLETS.evmOther },
  dstChainTokenOutRecipient: WALLETS.evmOther,
}

const ask = async (change: { readonly [name: string]: string | undefined } = {}) => {
  const { sim } = await open()
  const given = Object.entries({ ...QUESTION, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const request = {
    method: 'GET',
    path: '/dln/order/create-tx',
    query: new URLSearchParams(given),
    headers: {},
    body: undefined,
    rawBody: '',
  }
  const { status, body } = await sim.handle(request)
  return { status, body: body as { readonly [field: string]: unknown } }
}

const INVALID = 'INVALID_QUERY_PARAMETERS'

test.each<[{ readonly [name: string]: string | undefined }, string]>([
  ...['srcChainId', 'srcChainTokenIn', 'srcChainTokenInAmount', 'dstChainId', 'dstChainTokenOut'].map(
    (name): [{ readonly [name: string]: string | undefined }, string] => [{ [name]: undefined }, INVALID],
  ),
  // The chain's own numbers are none of deBridge's.
  [{ srcChainId: '143', srcChainTokenIn: USDC_MONAD }, INVALID],
  [{ dstChainId: '999', dstChainTokenOut: STRANGER }, INVALID],
  [{ dstChainId: '8453', dstChainTokenOut: USDC.base }, 'SOURCE_AND_DESTINATION_CHAINS_ARE_EQUAL'],
  [{ srcChainOrderAuthorityAddress: RECIPIENT_SOLANA }, INVALID],
  [{ dstChainOrderAuthorityAddress: RECIPIENT_SOLANA }, INVALID],
  [{ dstChainTokenOutRecipient: RECIPIENT_SOLANA }, INVALID],
  [{ affiliateFeePercent: '0.1', affiliateFeeRecipient: RECIPIENT_SOLANA }, INVALID],
  [{ affiliateFeePercent: '0.1' }, INVALID],
  [{ affiliateFeeRecipient: FEE_RECIPIENT }, INVALID],
  [{ affiliateFeePercent: '10.1', affiliateFeeRecipient: FEE_RECIPIENT }, INVALID],
  [{ srcChainTokenInAmount: '100000' }, 'ERROR_LOW_GIVE_AMOUNT'],
  [{ srcChainTokenIn: STRANGER }, 'UNSUPPORTED_TOKEN_IN'],
  [{ dstChainTokenOut: STRANGER }, 'UNSUPPORTED_TOKEN_OUT'],
  [{ srcChainTokenInAmount: '1.5' }, INVALID],
  [{ dstChainTokenOutAmount: '249000000' }, INVALID],
  [{ externalCall: '0x' }, INVALID],
])('refuses %j as %s', async (change, errorId) => {
  expect(await ask(change)).toMatchObject({ status: 400, body: { errorId } })
})

test.each(['dstChainTokenOutRecipient', 'srcChainOrderAuthorityAddress', 'dstChainOrderAuthorityAddress'])(
  'answers with a price alone without %s',
  async (name) => {
    const { status, body } = await ask({ [name]: undefined })
    expect([status, Object.keys(body).sort()]).toEqual([200, ['estimation', 'fixFee', 'protocolFee']])
  },
)

test('makes no order twice of one salt, and tells each from every other by its id', async () => {
  const { sim } = await open()
  const request = {
    method: 'GET',
    path: '/dln/order/create-tx',
    query: new URLSearchParams(QUESTION),
    headers: {},
    body: undefined,
    rawBody: '',
  }
  const ids = new Set<unknown>()
  for (let nth = 0; nth < 3; nth += 1) ids.add(((await sim.handle(request)).body as { orderId: string }).orderId)
  expect(ids.size).toBe(3)
})

test('knows no order that no contract took', async () => {
  const { sim } = await open()
  for (const path of [`/api/Orders/0x${'ab'.repeat(32)}`, `/api/Transaction/0x${'ab'.repeat(32)}/orderIds`, '/nothing']) {
    const request = { method: 'GET', path, query: new URLSearchParams(), headers: {}, body: undefined, rawBody: '' }
    expect((await sim.handle(request)).status).toBe(404)
  }
})
