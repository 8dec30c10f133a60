import { amountText, shortText } from '../../../pages/browser/text.js'
import { callNetwork, callService, pause } from './net.js'
import { ui, update } from './ui.js'

/** The steps of a swap: funds, signatures, the payment, and the status until the end. */

/** @typedef {import('./ui.js').State} State */

const [BITCOIN, SOLANA] = [-1, -2]
/** Whole coins for network fees and venues' charges, beside the input of the swap. */
const FOR_FEES = 1n
const LOOK_MS = 700
/** The step of the network's clock between two status requests: at first, and at most. */
const [STEP_MS, STEP_MS_MAX] = [30_000, 600_000]
const LOOKS_MAX = 400
const ENDS = ['success', 'refunded', 'failed']

/** @param {State} state @param {number} chainId */
export const chainOf = (state, chainId) => state.chains.find((chain) => chain.chainId === chainId)

/** @param {number} chainId */
export const ownAddress = (chainId) =>
  (chainId === BITCOIN ? ui.wallet?.bitcoin : chainId === SOLANA ? ui.wallet?.solana : ui.wallet?.evm) ?? ''

/** @param {string} text @param {boolean} [isBad] */
export const say = (text, isBad = false) => {
  ui.lines = [...ui.lines, { text, isBad }]
  update()
}

/** Throws if the service rejects the request. @param {'GET' | 'POST'} method @param {string} path @param {object} [body] */
const serve = async (method, path, body) => {
  const { data, failure } = await callService(ui.state?.service.url ?? null, method, path, body)
  if (failure) throw new Error(`${failure.code}: ${failure.message}`)
  return data
}

/** @param {number} chainId @param {string} token @param {string} amount */
const fill = async (chainId, token, amount) =>
  callNetwork('POST', '/faucet', { chainId, token, address: ownAddress(chainId), amount })

/** @param {State} state @param {any} quote */
export const fund = async (state, { input }) => {
  const { chainId, address } = input.token
  if (chainId === BITCOIN) return
  const native = chainOf(state, chainId)?.tokens.find(({ isNative }) => isNative)
  if (native)
    await fill(
      chainId,
      native.address,
      (FOR_FEES * 10n ** BigInt(native.decimals) + (input.token.isNative ? BigInt(input.amount) : 0n)).toString(),
    )
  if (!input.token.isNative) await fill(chainId, address, input.amount)
  say(`The faucet sent ${amountText(input.amount, input.token.decimals)} ${input.token.symbol} and coins for fees.`)
}

/** @param {any} execution @param {NonNullable<typeof ui.wallet>} wallet */
const approve = async ({ approval }, wallet) => {
  if (!approval) return
  if (approval.reset) say(`Allowance reset: ${shortText(await wallet.sendEvm(approval.reset))}`)
  say(`Approved: ${shortText(await wallet.sendEvm(approval.transaction))}`)
}

/** Signs and sends, and gives the ref of the swap. @param {any} quote @param {any} execution @param {NonNullable<typeof ui.wallet>} wallet @returns {Promise<string>} */
const payTransaction = async (quote, execution, wallet) => {
  const { transaction, submit } = execution
  if (transaction.serialized === undefined) {
    await approve(execution, wallet)
    const hash = await wallet.sendEvm(transaction)
    say(`Sent and mined: ${shortText(hash)}`)
    return hash
  }
  const signedTransaction = wallet.signSolana(transaction.serialized)
  if (submit) {
    const { txHash } = await serve('POST', submit.url, { quoteToken: execution.quoteToken, signedTransaction })
    say(`Signed, then sent by the service: ${shortText(txHash)}`)
    return execution.statusRef ?? txHash
  }
  const asked = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [signedTransaction, { encoding: 'base64' }] }
  const { result, error } = await callNetwork('POST', `/rpc/${quote.input.token.chainId}`, asked)
  if (error) throw new Error(error.message)
  say(`Signed and sent: ${shortText(result)}`)
  return result
}

/** @param {any} quote @param {any} execution @param {NonNullable<typeof ui.wallet>} wallet @returns {Promise<string>} */
export const carryOut = async (quote, execution, wallet) => {
  if (execution.executionType === 'TRANSACTION') return payTransaction(quote, execution, wallet)
  if (execution.executionType === 'SIGNATURE') {
    await approve(execution, wallet)
    const approvalSignature = execution.approvalData && (await wallet.signTyped(execution.approvalData))
    const signature = await wallet.signTyped(execution.typedData)
    const body = { quoteToken: quote.quoteToken, signature, ...(approvalSignature && { approvalSignature }) }
    const { statusRef } = await serve('POST', execution.submit.url, body)
    say(`Signed, then submitted to ${quote.venue.name}: ${shortText(statusRef)}`)
    return statusRef
  }
  const { deposit, statusRef } = execution
  await callNetwork('POST', '/deposits', {
    chainId: deposit.chainId,
    token: deposit.token.address,
    address: deposit.address,
    amount: deposit.amount,
  })
  say(`Sent to the deposit address ${shortText(deposit.address)}`)
  return statusRef
}

/** Requests the status until the swap ends, and advances the clock meanwhile. @param {string} quoteToken @param {string} ref */
export const follow = async (quoteToken, ref) => {
  let last = ''
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const query = new URLSearchParams({ quoteToken, ref })
    const { status, venueStatus, deliveredAmount } = await serve('GET', `/api/v1/status?${query}`)
    const told = `${status}${venueStatus ? ` (${venueStatus})` : ''}`
    if (told !== last) say(`Status: ${told}`, status === 'failed')
    last = told
    if (ENDS.includes(status)) return { status, deliveredAmount }
    if (ui.letTimeRun)
      await callNetwork('POST', '/clock', { advanceMs: Math.min(STEP_MS * 2 ** Math.floor(look / 2), STEP_MS_MAX) })
    await pause(LOOK_MS)
  }
  throw new Error('The page stopped checking before the swap ended. The timeline below continues.')
}
