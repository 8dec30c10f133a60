import { hashTypedData } from '../../../chains/evm/evmCodec.ts'
import type { TypedData } from '../../../core/execution.ts'
import { allowanceOf, balanceOf, hasCode, permitNonceOf } from '../../kit/chainReads.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { execCall, type Plan, poolToken, type Trade, tradeActions } from './actions.ts'
import { ALLOWANCE_HOLDER, metaTxnSettler, PERMIT2, POOL, spelled, takerSettler, ZERO_ADDRESS } from './networks.ts'
import { type Deal, dealOf } from './pricing.ts'
import { readQuestion } from './question.ts'
import { type Eip712, permitTypedData, tradeTypedData } from './typedData.ts'

/** A trade that may be signed, as it was quoted. */
export type QuotedTrade = {
  readonly deal: Deal
  readonly taker: string
  readonly trade: { readonly hash: string; readonly eip712: Eip712 }
  readonly approval: { readonly hash: string; readonly eip712: Eip712 } | null
  readonly call: Trade
  readonly settler: string
  /** Unix seconds. */
  readonly deadline: bigint
}

/** What the API's documents say of how long trades and permits can be used, and calls be sent; seconds. */
const LIFETIMES = { call: 300n, trade: 1_800n, permit: 600n }
const GAS = { swap: 288_079n, price: 1_333_333_333n }

const feeBody = (deal: Deal, units: bigint, type: 'volume' | 'gas') => {
  const amount = units.toString()
  return { amount, token: spelled(deal.buy), type }
}

const taxesOf = ({ takesTransferFee }: Deal['buy']) => {
  const transferTaxBps = takesTransferFee ? '100' : '0'
  return { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps }
}

type Issues = { readonly allowance: object | null; readonly balance: object | null }

const issuesOf = async (world: World, { chainId, sell, amount, taker }: Deal, spender: string): Promise<Issues> => {
  if (taker === null || sell.isNative) return { allowance: null, balance: null }
  const owned = { chainId, token: sell.address, owner: taker }
  const [allowed, held] = [await allowanceOf(world, owned, spender), await balanceOf(world, owned)]
  const isShort = held !== null && held < amount
  return {
    allowance: (allowed ?? 0n) < amount ? { actual: (allowed ?? 0n).toString(), spender } : null,
    balance: isShort ? { token: spelled(sell), actual: held.toString(), expected: amount.toString() } : null,
  }
}

const bodyOf = (deal: Deal, issues: Issues, zid: string) => {
  const { sell, buy, amount, isGasless, net, minimum, fee, integratorFee, zeroxFee, gasFee } = deal
  const integrator = fee ? feeBody(deal, integratorFee, 'volume') : null
  const [from, to] = [spelled(sell), spelled(buy)]
  const tokens = [sell, buy].map((token) => ({ address: spelled(token), symbol: token.symbol }))
  return {
    allowanceTarget: isGasless ? PERMIT2 : sell.isNative ? null : ALLOWANCE_HOLDER,
    blockNumber: '24000000',
    buyAmount: net.toString(),
    buyToken: to,
    fees: {
      integratorFee: integrator,
      integratorFees: integrator && [integrator],
      zeroExFee: feeBody(deal, zeroxFee, 'volume'),
      gasFee: isGasless ? feeBody(deal, gasFee, 'gas') : null,
    },
    issues: { ...issues, simulationIncomplete: issues.balance !== null, invalidSourcesPassed: [] },
    liquidityAvailable: true,
    minBuyAmount: minimum.toString(),
    route: { fills: [{ from, to, source: 'Offline_Pool', proportionBps: '10000' }], tokens },
    sellAmount: amount.toString(),
    sellToken: from,
    tokenMetadata: { buyToken: taxesOf(buy), sellToken: taxesOf(sell) },
    totalNetworkFee: isGasless ? null : (GAS.swap * GAS.price).toString(),
    zid,
  }
}

/** What goes into the bytes, and what of it is a lie. */
const planOf = (world: World, deal: Deal, path: string, zid: string) => {
  const { faults, clock } = world
  const takes = takesFor(faults, 'zerox', path)
  const { chainId, isGasless, taker, recipient, minimum, amount, buy } = deal
  const honest = { recipient: recipient ?? taker ?? ZERO_ADDRESS, minimum, amount }
  const contract = isGasless ? metaTxnSettler(chainId) : ALLOWANCE_HOLDER
  const told = alteredTerms(takes, { ...honest, contract }, { origin: { chainId }, destination: { chainId } })
  const plan: Plan = {
    ...{ deal, amount: told.amount, zid },
    header: { recipient: told.recipient.toLowerCase(), buyToken: spelled(buy), minAmountOut: told.minimum },
    settler: isGasless ? told.contract.toLowerCase() : takerSettler(chainId),
    given: takes('short-fill') ? deal.gross / 2n : deal.gross,
    deadline: BigInt(Math.floor(clock.now() / 1_000)) + (isGasless ? LIFETIMES.trade : LIFETIMES.call),
  }
  return { plan, to: isGasless ? contract : told.contract.toLowerCase(), isForged: takes('bad-signature') }
}

const swapBody = async (world: World, deal: Deal, path: string, zid: string) => {
  const { plan, to } = planOf(world, deal, path, zid)
  const [gas, gasPrice] = [GAS.swap.toString(), GAS.price.toString()]
  const value = deal.sell.isNative ? plan.amount.toString() : '0'
  return { mode: 'exact-in', transaction: { to, data: await execCall(plan), gas, gasPrice, value } }
}

/** Tokens whose permits are known, of those that the offline chains have. */
const permitOf = async (world: World, { sell, chainId, amount }: Deal, taker: string): Promise<Eip712 | null> => {
  const nonce = await permitNonceOf(world, { chainId, token: sell.address, owner: taker })
  if (sell.symbol !== 'USDC' || (await hasCode(world, chainId, taker))) return null
  const deadline = BigInt(Math.floor(world.clock.now() / 1_000)) + LIFETIMES.permit
  const permit = { owner: taker, value: amount, nonce: Number(nonce ?? 0n), deadline }
  return permitTypedData({ ...sell, version: '2' }, permit)
}

const hashed = async (eip712: Eip712, isForged = false) => {
  const hash = await hashTypedData(eip712 as unknown as TypedData)
  return { hash: isForged ? `0x${'b'.repeat(64)}` : hash, eip712 }
}

const tradeOf = async (
  world: World,
  deal: Deal,
  path: string,
  { zid, isAllowed }: { zid: string; isAllowed: boolean },
): Promise<QuotedTrade> => {
  const { plan, isForged } = planOf(world, deal, path, zid)
  const { header, settler, amount, deadline } = plan
  const taker = deal.taker ?? ZERO_ADDRESS
  const nonce = BigInt(`0x${world.random.hex(56)}`)
  const actions = await tradeActions(plan, nonce)
  const permit = { token: spelled(deal.sell), amount, spender: settler, nonce, deadline }
  const approval = isAllowed ? null : await permitOf(world, deal, taker)
  return {
    ...{ deal, taker, settler, deadline },
    trade: await hashed(tradeTypedData(deal.chainId, permit, { header, actions }), isForged),
    approval: approval && (await hashed(approval)),
    call: { header, actions, zid, taker },
  }
}

const tradeBody = ({ trade, approval, settler }: QuotedTrade) => ({
  target: settler,
  trade: { type: 'settler_metatransaction', ...trade },
  approval: approval && { type: 'permit', ...approval },
})

/** The wallet of a contract signs nothing that a token takes for a permit. */
const refuseContract = async (world: World, { chainId, taker }: Deal, isAllowed: boolean): Promise<void> => {
  if (taker === null || isAllowed) return
  const isContract = await hasCode(world, chainId, taker)
  refuseIf(isContract, 'SMART_WALLET_NOT_SUPPORTED', 'Smart wallets are not supported', { taker, chainId })
}

/** The pool holds what it may be asked for. */
const stock = ({ evm }: World, deal: Deal): Promise<void> =>
  evm.fund({ chainId: deal.chainId, token: poolToken(deal), holder: POOL, amount: deal.gross })

/** GET /swap/allowance-holder/price and /quote, /gasless/price and /quote. `keep` is told of trades that may be signed. */
export const answerQuote = async (
  world: World,
  { path, query }: SimRequest,
  keep: (trade: QuotedTrade) => void,
): Promise<SimResponse> => {
  const isGasless = path.startsWith('/gasless/')
  const isFirm = path.endsWith('/quote')
  const question = readQuestion(query, world.tokens, { isGasless, isFirm })
  const zid = `0x${world.random.hex(24)}`
  const takes = takesFor(world.faults, 'zerox', path)
  const deal = takes('halt') ? null : dealOf(question, world.market, misquotedBy(takes))
  if (deal === null) return ok({ liquidityAvailable: false, zid })
  const issues = await issuesOf(world, deal, isGasless ? PERMIT2 : ALLOWANCE_HOLDER)
  const body = bodyOf(deal, issues, zid)
  const prices = { gas: isGasless ? null : GAS.swap.toString(), gasPrice: isGasless ? null : GAS.price.toString() }
  if (!isFirm) return ok(isGasless ? body : { ...body, mode: 'exact-in', ...prices })
  await stock(world, deal)
  if (!isGasless) return ok({ ...body, ...(await swapBody(world, deal, path, zid)) })
  await refuseContract(world, deal, issues.allowance === null)
  const quoted = await tradeOf(world, deal, path, { zid, isAllowed: issues.allowance === null })
  keep(quoted)
  return ok({ ...body, ...tradeBody(quoted) })
}

export const requireTrade = (trade: QuotedTrade | undefined): QuotedTrade =>
  found(trade, 'META_TRANSACTION_INVALID', 'The metatransaction is invalid')
