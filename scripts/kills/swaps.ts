import { isDeepStrictEqual } from 'node:util'
import type { TypedDataDefinition } from 'viem'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { broadcast, DEV_ACCOUNT } from '../client/evm.ts'
import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA, USDC, WETH_ETHEREUM } from '../client/tokens.ts'
import type { Execution, Quote, QuoteRequest } from '../client/wire.ts'
import type { Intent, Partner, Run, Swap, SwapKind } from './journal.ts'

const PAYER_OF_BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

type Route = Pick<QuoteRequest, 'inputChainId' | 'inputToken' | 'outputChainId' | 'outputToken' | 'broadcastViaService'>

export const ROUTES: { readonly [K in SwapKind]: Route } = {
  deposit: { inputChainId: BITCOIN, inputToken: NATIVE, outputChainId: 8453, outputToken: USDC.base },
  transaction: { inputChainId: 8453, inputToken: USDC.base, outputChainId: 42161, outputToken: USDC.arbitrum },
  signature: { inputChainId: 1, inputToken: USDC.ethereum, outputChainId: 1, outputToken: WETH_ETHEREUM },
  posted: {
    ...{ inputChainId: SOLANA, inputToken: NATIVE_SOL, outputChainId: 8453, outputToken: USDC.base },
    broadcastViaService: true,
  },
}
const VENUES = { deposit: 'near-intents', transaction: 'across', signature: 'cow', posted: 'relay' } as const
/** The amount of the first swap; each has one more than the one before. */
const AMOUNTS = { deposit: 5_000_000n, transaction: 100_000_000n, signature: 1_000_000_000n, posted: 1_000_000_000n } as const

const ATTEMPTS_MAX = 8
/** Executes of one quote at once, where replicas are raced. */
const RACERS = 20

/** Everything but the token, which is sealed anew, and the approval, which may be done by then. */
const payloadOf = (execution: Execution): object => ({ ...execution, quoteToken: null, approval: null })

const intentOf = (kind: SwapKind, chance: number): Intent => {
  if (chance < 10) return 'never'
  return kind === 'deposit' && chance < 25 ? 'short' : 'pay'
}

const problem = ({ journal }: Run, swap: Swap, text: string): void =>
  void journal.problems.push(`${swap.requestId} (${swap.kind}): ${text}`)

const createSwap = ({ journal, random }: Run, kind: SwapKind, intent: Intent, partner: Partner | null): Swap => {
  const count = journal.swaps.length + 1
  const swap: Swap = {
    ...{ kind, intent, partner, amount: AMOUNTS[kind] + BigInt(count), recipient: `0x${random.hex(40)}` },
    ...{ requestId: `swap-${count}`, offer: null, quoteToken: '', execution: null, lostExecutes: 0, lostSubmits: 0 },
    ...{ ref: null, isPaid: false, reported: null },
  }
  journal.swaps.push(swap)
  return swap
}

/** False when there is no offer. */
const quote = async ({ stage, client }: Run, swap: Swap): Promise<boolean> => {
  const { kind, amount, recipient, partner } = swap
  const excludeVenues = VENUE_DEFINITIONS.map(({ id }) => id).filter((id) => id !== VENUES[kind])
  const evm = DEV_ACCOUNT.address
  const payers = { deposit: PAYER_OF_BITCOIN, posted: stage.solana.address, transaction: evm, signature: evm }
  const addresses = { userAddress: payers[kind], destinationAddress: recipient }
  const body: QuoteRequest = { ...ROUTES[kind], ...addresses, inputAmount: amount.toString(), excludeVenues }
  const { data } = await client.send<Quote>({ method: 'POST', path: '/api/v1/quote', body, key: partner?.apiKey ?? null })
  if (data === null) return false
  swap.quoteToken = data.quoteToken
  swap.offer = { bps: data.fee.bps, feeAmount: BigInt(data.fee.amount) }
  return true
}

/** Null when the quote expired meanwhile. `racers` execute it at once, and all receive the same. */
const execute = async (run: Run, swap: Swap, racers: number): Promise<Execution | null> => {
  const { client, journal, random, stage } = run
  const { requestId, partner, quoteToken } = swap
  const stepsBefore = stage.steps()
  const request = { method: 'POST', path: '/api/v1/execute', body: { quoteToken }, key: partner?.apiKey ?? null } as const
  const executeOnce = () => client.send<Execution>({ ...request, requestId })
  const first = await Promise.all(Array.from({ length: racers }, executeOnce))
  const repeated = random.integer(3) === 0 ? [await executeOnce()] : []
  journal.repeats += racers - 1 + repeated.length
  for (const { data, status, error, lost } of [...first, ...repeated]) {
    swap.lostExecutes += lost
    if (data === null && status !== 410) problem(run, swap, `/execute: ${status} ${JSON.stringify(error)}`)
    if (data === null) continue
    swap.execution ??= data
    if (!isDeepStrictEqual(payloadOf(data), payloadOf(swap.execution))) problem(run, swap, '/execute answered two payloads')
  }
  // A step of the clock ends the lease of a replica that still builds: the next one builds as after its death.
  if (stage.replicas > 1) swap.lostExecutes += stage.steps() - stepsBefore
  return first.some(({ data }) => data === null) ? null : swap.execution
}

const submit = async <T>(run: Run, swap: Swap, path: string, body: object): Promise<T | null> => {
  const { stage, client, journal, random } = run
  const post = () => client.send<T>({ method: 'POST', path, body })
  // From here on the order or the transaction may be out, whatever is answered.
  swap.isPaid = true
  const { data, status, error, lost } = await post()
  swap.lostSubmits += lost
  if (data === null) {
    swap.isPaid = false
    if (status !== 410 && error?.code !== 'ORDER_REJECTED') problem(run, swap, `${path}: ${status} ${JSON.stringify(error)}`)
    return null
  }
  if (random.integer(3) === 0) {
    const again = await post()
    journal.repeats += 1
    // After an outage of the database only the process remembers the venue's answer. After its death a repeat is posted again.
    // The venue takes the same order once.
    swap.lostSubmits += again.lost + (stage.postgres === null ? 0 : 1)
    if (!isDeepStrictEqual(again.data, data)) problem(run, swap, `${path} was repeated and answered ${JSON.stringify(again)}`)
  }
  return data
}

/** False when it is too late for what `/execute` answered. */
const carryOut = async (run: Run, swap: Swap, execution: Execution): Promise<boolean> => {
  const { control, solana, oneByOne } = run.stage
  const { quoteToken } = swap
  switch (execution.executionType) {
    case 'DEPOSIT': {
      swap.ref = execution.statusRef
      const amount = swap.intent === 'short' ? swap.amount / 2n : swap.amount
      await control.deposit({ chainId: BITCOIN, token: NATIVE, address: execution.deposit.address, amount: amount.toString() })
      swap.isPaid = true
      return true
    }
    case 'SIGNATURE': {
      const signature = await DEV_ACCOUNT.signTypedData(execution.typedData as unknown as TypedDataDefinition)
      const order = await submit<{ statusRef: string }>(run, swap, '/api/v1/submit-signature', { quoteToken, signature })
      swap.ref = order?.statusRef ?? null
      return order !== null
    }
    case 'TRANSACTION': {
      if (swap.kind === 'posted') {
        const signedTransaction = solana.signSerialized(execution.transaction.serialized)
        swap.ref = execution.statusRef ?? null
        const body = { quoteToken: execution.quoteToken ?? '', signedTransaction }
        return (await submit(run, swap, '/api/v1/submit-transaction', body)) !== null
      }
      swap.ref = await oneByOne(() => broadcast(control.rpcUrl(8453), execution.transaction))
      swap.isPaid = true
      return true
    }
  }
}

export const readStatus = async (run: Run, swap: Swap, ref = swap.ref): Promise<void> => {
  const query = new URLSearchParams({ quoteToken: swap.quoteToken, ref: ref ?? '' })
  const { data, error } = await run.client.send<{ status: string }>({ method: 'GET', path: `/api/v1/status?${query}` })
  if (data !== null) swap.reported = data
  else problem(run, swap, `/status: ${JSON.stringify(error)}`)
}

/** One swap from its quote to the payment. Quotes that expired meanwhile are replaced. */
export const swap = async (run: Run, kind: SwapKind, partner: Partner | null): Promise<void> => {
  const intent = intentOf(kind, run.random.integer(100))
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const one = createSwap(run, kind, intent, partner)
    if (!(await quote(run, one))) continue
    const execution = await execute(run, one, run.stage.replicas)
    if (execution !== null && intent === 'never') return
    if (execution !== null && (await carryOut(run, one, execution))) {
      // Only the wallet has the hash of a transaction: the service follows it from the first request on.
      if (kind === 'transaction') await readStatus(run, one)
      return
    }
    run.journal.requotes += 1
  }
}

/** Many execute one quote at once. It is not paid, and each replica reports its status. */
export const race = async (run: Run): Promise<void> => {
  const one = createSwap(run, 'deposit', 'never', null)
  for (let tries = 0; one.offer === null && tries < ATTEMPTS_MAX; tries += 1) await quote(run, one)
  const execution = await execute(run, one, RACERS)
  if (execution?.executionType !== 'DEPOSIT') problem(run, one, 'the race had no result')
  else for (let i = 0; i < run.stage.replicas; i += 1) await readStatus(run, one, execution.statusRef)
}
