import { isDeepStrictEqual } from 'node:util'
import type { TypedDataDefinition } from 'viem'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { broadcast, DEV_ACCOUNT } from '../client/evm.ts'
import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA, USDC, WETH_ETHEREUM } from '../client/tokens.ts'
import type { Execution, Quote, QuoteRequest } from '../client/wire.ts'
import type { Answer, Client } from './client.ts'
import type { Desk } from './desk.ts'
import type { ClassName } from './points.ts'
import type { Intent, Partner, Swap, SwapKind, Tale } from './records.ts'
import type { Stage } from './stage.ts'
import { createTurns } from './turns.ts'

export type JobPorts = {
  readonly stage: Stage
  readonly ask: Client
  readonly desk: Desk
  readonly tale: Tale
  readonly random: SimRandom
}

const PAYER_OF_BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

type Route = Pick<QuoteRequest, 'inputChainId' | 'inputToken' | 'outputChainId' | 'outputToken' | 'broadcastViaService'> & {
  readonly venue: string
  readonly least: bigint
  readonly execute: ClassName
}

export const ROUTES: { readonly [K in SwapKind]: Route } = {
  deposit: {
    ...{ inputChainId: BITCOIN, inputToken: NATIVE, outputChainId: 8453, outputToken: USDC.base },
    ...{ venue: 'near-intents', least: 5_000_000n, execute: 'execute DEPOSIT' },
  },
  transaction: {
    ...{ inputChainId: 8453, inputToken: USDC.base, outputChainId: 42161, outputToken: USDC.arbitrum },
    ...{ venue: 'across', least: 100_000_000n, execute: 'execute TRANSACTION' },
  },
  signature: {
    ...{ inputChainId: 1, inputToken: USDC.ethereum, outputChainId: 1, outputToken: WETH_ETHEREUM },
    ...{ venue: 'cow', least: 1_000_000_000n, execute: 'execute SIGNATURE' },
  },
  posted: {
    ...{ inputChainId: SOLANA, inputToken: NATIVE_SOL, outputChainId: 8453, outputToken: USDC.base, broadcastViaService: true },
    ...{ venue: 'relay', least: 1_000_000_000n, execute: 'execute TRANSACTION' },
  },
}

const ATTEMPTS_MAX = 8

/** Ours alone: nobody else is ever paid there. */
const recipientOf = (random: SimRandom): string => `0x${random.hex(40)}`

const handedOut = (execution: Execution): unknown => {
  switch (execution.executionType) {
    case 'DEPOSIT':
      return [execution.deposit, execution.statusRef]
    case 'SIGNATURE':
      return execution.typedData
    case 'TRANSACTION':
      return [execution.transaction, execution.statusRef]
  }
}

export const createSwapJobs = ({ stage, ask, desk, tale, random }: JobPorts) => {
  const { control, solana } = stage
  // Two transactions of one account must not take one nonce.
  const inTurn = createTurns()
  let count = 0

  const problem = (swap: Swap, what: string): void => void tale.problems.push(`${swap.requestId} (${swap.kind}): ${what}`)

  const noted = <T>(answer: Answer<T>): Answer<T> => {
    tale.lost += answer.lost
    return answer
  }

  const quoteBody = ({ kind, amount, recipient }: Swap): QuoteRequest => {
    const { venue, least: _least, execute: _execute, ...route } = ROUTES[kind]
    const payers = {
      deposit: PAYER_OF_BITCOIN,
      posted: solana.address,
      transaction: DEV_ACCOUNT.address,
      signature: DEV_ACCOUNT.address,
    }
    const excludeVenues = VENUE_DEFINITIONS.map(({ id }) => id).filter((id) => id !== venue)
    return { ...route, inputAmount: amount.toString(), userAddress: payers[kind], destinationAddress: recipient, excludeVenues }
  }

  const quote = async (swap: Swap): Promise<boolean> => {
    const key = swap.partner?.apiKey ?? null
    const { data } = noted(await ask<Quote>({ method: 'POST', path: '/api/v1/quote', body: quoteBody(swap), key }))
    if (data === null) return false
    swap.quoteToken = data.quoteToken
    swap.offer = { bps: data.fee.bps, feeAmount: BigInt(data.fee.amount), outputAmount: BigInt(data.output.amount) }
    return true
  }

  const executeOnce = (swap: Swap) =>
    ask<Execution>({
      method: 'POST',
      path: '/api/v1/execute',
      body: { quoteToken: swap.quoteToken },
      key: swap.partner?.apiKey ?? null,
      requestId: swap.requestId,
    })

  /** Null where the quote was too old by then: a fresh one is asked for. */
  const execute = async (swap: Swap): Promise<Execution | null> => {
    const answer = noted(await desk.step(ROUTES[swap.kind].execute, () => executeOnce(swap)))
    swap.lostExecutes += answer.lost
    if (answer.data === null) {
      if (answer.status !== 410) problem(swap, `/execute: ${answer.status} ${JSON.stringify(answer.error)}`)
      return null
    }
    swap.execution = answer.data
    // Whoever asks again is handed out the same.
    if (random.integer(3) === 0) {
      const again = noted(await executeOnce(swap))
      tale.repeats += 1
      if (again.data !== null && !isDeepStrictEqual(handedOut(again.data), handedOut(answer.data)))
        problem(swap, '/execute was repeated and answered another payload')
      if (again.data === null && again.status !== 410) problem(swap, `/execute again: ${JSON.stringify(again.error)}`)
    }
    return answer.data
  }

  const submit = async <T>(swap: Swap, name: ClassName, path: string, body: object): Promise<T | null> => {
    const post = () => ask<T>({ method: 'POST', path, body })
    // From here on it may be out, whatever is answered.
    swap.isPaid = true
    const answer = noted(await desk.step(name, post))
    swap.lostSubmits += answer.lost
    if (answer.data === null) {
      swap.isPaid = false
      if (answer.status !== 410 && answer.error?.code !== 'ORDER_REJECTED')
        problem(swap, `${path}: ${answer.status} ${JSON.stringify(answer.error)}`)
      return null
    }
    if (random.integer(3) === 0) {
      const again = noted(await post())
      tale.repeats += 1
      // After an outage of the database only the process remembers the venue's answer. After its death a repeat is posted again.
      // The venue takes the same order once.
      swap.lostSubmits += again.lost + (stage.postgres === null ? 0 : 1)
      if (!isDeepStrictEqual(again.data, answer.data)) problem(swap, `${path} was repeated and answered ${JSON.stringify(again)}`)
    }
    return answer.data
  }

  /** Does what was handed out. False where it is too late for it. */
  const carryOut = async (swap: Swap, execution: Execution): Promise<boolean> => {
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
        const body = { quoteToken: swap.quoteToken, signature }
        const submitted = await submit<{ statusRef: string }>(swap, 'submit-signature', '/api/v1/submit-signature', body)
        swap.ref = submitted?.statusRef ?? null
        return submitted !== null
      }
      case 'TRANSACTION': {
        if (swap.kind === 'posted') {
          const signedTransaction = solana.signSerialized(execution.transaction.serialized)
          const body = { quoteToken: execution.quoteToken ?? '', signedTransaction }
          swap.ref = execution.statusRef ?? null
          const sent = await submit<{ txHash: string }>(swap, 'submit-transaction', '/api/v1/submit-transaction', body)
          swap.txHash = sent?.txHash ?? null
          return sent !== null
        }
        swap.ref = await inTurn(() => broadcast(control.rpcUrl(8453), execution.transaction))
        swap.isPaid = true
        return true
      }
    }
  }

  const bear = (kind: SwapKind, intent: Intent, partner: Partner | null, bornIn: number): Swap => {
    count += 1
    const swap: Swap = {
      ...{ kind, intent, partner, bornIn, amount: ROUTES[kind].least + BigInt(count), recipient: recipientOf(random) },
      ...{ requestId: `swap-${count}`, offer: null, quoteToken: '', execution: null, lostExecutes: 0, lostSubmits: 0 },
      ...{ ref: null, isPaid: false, txHash: null, told: null },
    }
    tale.swaps.push(swap)
    return swap
  }

  const intentOf = (kind: SwapKind): Intent => {
    const chance = random.integer(100)
    if (chance < 10) return 'never'
    return kind === 'deposit' && chance < 25 ? 'short' : 'pay'
  }

  const status = async (swap: Swap): Promise<void> => {
    const query = new URLSearchParams({ quoteToken: swap.quoteToken, ref: swap.ref ?? '' })
    const { data, error } = noted(await ask<NonNullable<Swap['told']>>({ method: 'GET', path: `/api/v1/status?${query}` }))
    if (data !== null) swap.told = data
    else problem(swap, `/status: ${JSON.stringify(error)}`)
  }

  return {
    /** One swap from its quote to the payment. What becomes of it others see to. */
    swap: async (kind: SwapKind, partner: Partner | null, bornIn: number): Promise<void> => {
      const intent = intentOf(kind)
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        const swap = bear(kind, intent, partner, bornIn)
        if (!(await quote(swap))) continue
        const execution = await execute(swap)
        if (execution === null) {
          tale.requotes += 1
          continue
        }
        if (intent === 'never') return
        if (!(await carryOut(swap, execution))) {
          tale.requotes += 1
          continue
        }
        // Only its wallet knows the hash of a transaction: it is followed from the first time that somebody asks.
        if (kind === 'transaction') await status(swap)
        return
      }
    },
    status,
  }
}

export type SwapJobs = ReturnType<typeof createSwapJobs>
