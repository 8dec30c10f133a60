import { PERMIT2 } from '../../../chains/evm/permit2.ts'
import { ALLOWANCE_HOLDER } from '../../../venues/zerox/protocol.ts'
import { allowanceOf } from '../../kit/chainReads.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { POOL, poolToken, tradeOf, transactionOf } from './payloads.ts'
import { type Deal, dealOf, invalid, spelled } from './requests.ts'
import { createTrades } from './trades.ts'

/** The key of the offline network. Every other key is accepted as well. */
const API_KEY = 'offline-0x-key'
const GAS = '288079'
const QUOTE = /^\/(?:swap\/allowance-holder|gasless)\/(price|quote)$/
const STATUS = /^\/gasless\/status\/(0x[0-9a-f]{64})$/

/** What a price and a quote have in common. `allowed`: how much of the input the spender may take. */
const priceBody = (deal: Deal, allowed: bigint, zid: string) => {
  const { sell, buy, sellAmount, isGasless, net, minimum, fee, integratorFee, zeroxFee, gasFee } = deal
  const spender = isGasless ? PERMIT2 : ALLOWANCE_HOLDER
  const feeBody = (units: bigint, type: string) => ({ amount: units.toString(), token: spelled(buy), type })
  return {
    ...{ liquidityAvailable: true, zid, blockNumber: '24000000', allowanceTarget: sell.isNative ? null : spender.toLowerCase() },
    ...{ sellToken: spelled(sell), sellAmount: sellAmount.toString(), buyToken: spelled(buy) },
    ...{ buyAmount: net.toString(), minBuyAmount: minimum.toString() },
    fees: {
      integratorFee: fee && feeBody(integratorFee, 'volume'),
      zeroExFee: feeBody(zeroxFee, 'volume'),
      gasFee: isGasless ? feeBody(gasFee, 'gas') : null,
    },
    issues: { allowance: allowed < sellAmount ? { actual: allowed.toString(), spender } : null },
    tokenMetadata: { buyToken: { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps: buy.takesTransferFee ? '100' : '0' } },
  }
}

/** 0x's Swap and Gasless APIs, and the relayer of signed trades: https://docs.0x.org/openapi/evm-apis.json */
export const createZerox = (world: World): SimVenue => {
  const { faults, tokens, market, random, evm } = world
  const trades = createTrades(world)

  const quote = async (request: SimRequest, isFirm: boolean): Promise<SimResponse> => {
    const { path } = request
    const zid = `0x${random.hex(24)}`
    const takes = takesFor(faults, 'zerox', path)
    const deal = takes('halt') ? null : dealOf(request, tokens, market, misquotedBy(takes))
    if (deal === null) return ok({ liquidityAvailable: false, zid })
    const { chainId, sell, taker: owner, sellAmount, gross, isGasless } = deal
    const spender = isGasless ? PERMIT2 : ALLOWANCE_HOLDER
    const allowance = sell.isNative ? sellAmount : await allowanceOf(world, { chainId, token: sell.address, owner }, spender)
    const body = priceBody(deal, allowance ?? 0n, zid)
    if (!isFirm) return ok(isGasless ? body : { ...body, gas: GAS })
    await evm.fund({ chainId, token: poolToken(deal), holder: POOL, amount: gross })
    if (!isGasless) return ok({ ...body, transaction: await transactionOf(world, deal, path, zid) })
    const quoted = await tradeOf(world, deal, path, zid, body.issues.allowance === null)
    trades.keep(quoted)
    const trade = { type: 'settler_metatransaction', ...quoted.trade }
    return ok({ ...body, trade, approval: quoted.approval && { type: 'permit', ...quoted.approval } })
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path, headers } = request
    refuseIf(headers['0x-api-key'] === undefined, null, 'No API key found in request', { status: 401 })
    if (headers['0x-version'] !== 'v2') throw invalid('0x-version')
    if (method === 'POST' && path === '/gasless/submit') return trades.submit(request)
    const [kind, tradeHash] = method === 'GET' ? [QUOTE.exec(path)?.[1], STATUS.exec(path)?.[1]] : []
    if (kind !== undefined) return quote(request, kind === 'quote')
    return trades.status(request, found(tradeHash, null, 'no Route matched with those values', { status: 404 }))
  }

  return {
    id: 'zerox',
    // The gateway's own refusals have no name: https://docs.0x.org/introduction/rate-limits
    handle: answering(route, ({ status, code, message, more }) => ({
      status,
      body: code === null ? { message } : { name: code, message, data: { zid: `0x${random.hex(24)}`, ...more } },
    })),
    // No swap is paid by deposit, and a landed call needs no further step.
    onDeposit: () => false,
    onTransaction: ({ to }) => to.toLowerCase() === ALLOWANCE_HOLDER.toLowerCase(),
    settings: { API_KEY },
    pricePaths: [],
  }
}
