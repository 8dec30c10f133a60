import type { ErrorCode } from '../../engine/errors.ts'
import { newApiKey } from '../../engine/keys/apiKey.ts'
import type { operations } from '../../generated/api.d.ts'
import type { Ask } from '../../scripts/client/service.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { allBut } from '../support/swaps.ts'
import { HOLDER, type Stage } from './dreddStage.ts'

/** Prepares the service for one documented response and returns the request; without one the documented example is sent. */
export type Scenario = (stage: Stage) => Ask | Promise<Ask>

/** The plain call of each paid one. */
const PAID = {
  x402Quote: 'quote',
  x402Execute: 'execute',
  x402SubmitSignature: 'submitSignature',
  x402SubmitTransaction: 'submitTransaction',
  x402Status: 'status',
} as const

/** A scenario for every documented response, and for each code among the examples of an error. */
export type Scenarios = {
  readonly [Id in keyof operations]: {
    readonly [Status in keyof operations[Id]['responses']]: Status extends 200 | 201
      ? { readonly success: Scenario }
      : { readonly [Code in ErrorCode]?: Scenario }
  }
}

const TOKENS = {
  usdcEthereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  daiEthereum: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  usdcBase: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  usdcArbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  native: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  nativeSolana: 'So11111111111111111111111111111111111111112',
  usdcSolana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const

const NO_TOKEN = '0x00000000000000000000000000000000DeaDBeef'

const baseToArbitrum = ({ walletAddress }: Stage) =>
  ({
    inputChainId: 8453,
    outputChainId: 42161,
    inputToken: TOKENS.usdcBase,
    outputToken: TOKENS.usdcArbitrum,
    inputAmount: '25000000',
    userAddress: walletAddress,
  }) as const

const usdcToDai = ({ walletAddress }: Stage) =>
  ({
    inputChainId: 1,
    outputChainId: 1,
    inputToken: TOKENS.usdcEthereum,
    outputToken: TOKENS.daiEthereum,
    inputAmount: '25000000',
    userAddress: walletAddress,
  }) as const

/** Across fixes the recipient at quote time, so that a quote without one is a preview. */
const preview = (stage: Stage) => ({ ...baseToArbitrum(stage), outputChainId: -2, outputToken: TOKENS.usdcSolana }) as const

const TAMPERED = { quoteToken: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA' }

const asDocumented: Scenario = () => ({})
const unknownKey: Scenario = () => ({ headers: { 'x-api-key': 'swk_nobodyHasThisKey' } })
const exhausted: Scenario = async (stage) => ({ headers: await stage.exhaustedVisitor() })
const hugeBody: Scenario = () => ({ body: { pad: 'x'.repeat(64 * 1024) } })
const plainText: Scenario = () => ({ headers: { 'content-type': 'text/plain' } })

const VENUES = ['across', 'cow', 'near-intents', 'relay']

const noRoomFor = {
  quotes: async (stage: Stage) => {
    await stage.occupy({ method: 'POST', path: '/api/v1/quote', ask: { body: baseToArbitrum(stage) } }, ...VENUES)
    return {}
  },
  executes: async (stage: Stage) => {
    const { quoteToken } = await stage.quote(baseToArbitrum(stage), 'near-intents')
    await stage.occupy({ method: 'POST', path: '/api/v1/execute', ask: { body: { quoteToken } } }, 'near-intents')
    return {}
  },
  statuses: async (stage: Stage) => {
    await stage.occupy({ method: 'GET', path: '/api/v1/status', ask: { query: await deposit(stage) } }, 'near-intents')
    return {}
  },
} satisfies { readonly [room: string]: Scenario }

/** A key that could be somebody's, while nobody can tell whose. */
const untellable = {
  INTERNAL: async (stage: Stage) => {
    await stage.breakStore('api_keys')
    return { headers: { 'x-api-key': newApiKey('selfServe') } }
  },
}

const keyed =
  (ask: Ask = {}): Scenario =>
  async (stage) => ({ ...ask, headers: await stage.keyOf('selfServe') })

const keyedWithout =
  (table: string): Scenario =>
  async (stage) => {
    const headers = await stage.keyOf('selfServe')
    await stage.breakStore(table)
    return { headers }
  }

const unauthorized = { UNAUTHORIZED: unknownKey }
const limited = { RATE_LIMITED: exhausted }
const tooLarge = { INVALID_REQUEST: hugeBody }
const notJson = { INVALID_REQUEST: plainText }

/** No order of a venue lives longer. */
const ORDER_LIFE_AT_MOST_MS = 3 * 60 * 60_000

/** A SIGNATURE swap, executed and signed. */
const signedSwap = async (
  stage: Stage,
  about = 25_000_000,
): Promise<{ readonly quoteToken: string; readonly signature: string }> => {
  const quote = await stage.quote({ ...usdcToDai(stage), inputAmount: stage.ownAmount(about) }, 'cow')
  await stage.fund(quote)
  const execution = await stage.execute(quote.quoteToken)
  if (execution.executionType !== 'SIGNATURE') throw new Error(`CoW answered ${execution.executionType}`)
  return { quoteToken: quote.quoteToken, signature: await stage.sign(execution.typedData) }
}

const solToBase = ({ solanaAddress, walletAddress }: Stage) =>
  ({
    inputChainId: -2,
    outputChainId: 8453,
    inputToken: TOKENS.nativeSolana,
    outputToken: TOKENS.usdcBase,
    inputAmount: '1000000000',
    userAddress: solanaAddress,
    destinationAddress: walletAddress,
    broadcastViaService: true,
  }) as const

/** A Solana TRANSACTION for the service to broadcast, executed and signed. */
const signedTransaction = async (stage: Stage): Promise<{ readonly quoteToken: string; readonly signedTransaction: string }> => {
  await stage.fundSolana()
  const quote = await stage.quote(solToBase(stage), 'relay')
  const execution = await stage.execute(quote.quoteToken)
  if (execution.executionType !== 'TRANSACTION') throw new Error(`Relay answered ${execution.executionType}`)
  const { quoteToken, transaction } = execution
  if (!quoteToken || !transaction.serialized) throw new Error('nothing to submit')
  return { quoteToken, signedTransaction: stage.signSolana(transaction.serialized) }
}

/** A blockhash lasts about a minute. */
const BLOCKHASH_LIFE_MS = 5 * 60_000

const deposit = async (stage: Stage): Promise<{ readonly quoteToken: string; readonly ref: string }> => {
  const { quoteToken } = await stage.quote(baseToArbitrum(stage), 'near-intents')
  const execution = await stage.execute(quoteToken)
  if (execution.executionType !== 'DEPOSIT') throw new Error(`NEAR Intents answered ${execution.executionType}`)
  return { quoteToken, ref: execution.statusRef }
}

const plain: Omit<Scenarios, keyof typeof PAID> = {
  quote: {
    200: { success: asDocumented },
    400: {
      INVALID_REQUEST: (stage) => ({ body: { ...baseToArbitrum(stage), inputAmount: '0.5' } }),
      UNSUPPORTED_TOKEN: (stage) => ({ body: { ...baseToArbitrum(stage), inputToken: NO_TOKEN } }),
      UNSUPPORTED_CHAIN: (stage) => ({ body: { ...baseToArbitrum(stage), inputChainId: 250 } }),
    },
    401: unauthorized,
    404: { NO_LIQUIDITY: (stage) => ({ body: { ...baseToArbitrum(stage), inputAmount: '1' } }) },
    413: tooLarge,
    415: notJson,
    429: limited,
    500: {
      INTERNAL: async (stage) => {
        await stage.service.control.fault('across', 'http-500')
        return { body: { ...baseToArbitrum(stage), excludeVenues: allBut('across') } }
      },
    },
    503: { OVERLOADED: noRoomFor.quotes },
  },
  execute: {
    200: { success: async (stage) => ({ body: { quoteToken: (await stage.quote(baseToArbitrum(stage))).quoteToken } }) },
    400: {
      INVALID_REQUEST: () => ({ body: {} }),
      QUOTE_INVALID: () => ({ body: TAMPERED }),
    },
    401: unauthorized,
    410: {
      QUOTE_EXPIRED: async (stage) => {
        const { quoteToken, expiresAt } = await stage.quote(baseToArbitrum(stage))
        await stage.service.control.advance(expiresAt - stage.service.simnet.clock.now() + 1)
        return { body: { quoteToken } }
      },
    },
    413: tooLarge,
    415: notJson,
    422: {
      QUOTE_NOT_EXECUTABLE: async (stage) => {
        const { quoteToken, executable } = await stage.quote(preview(stage), 'across')
        if (executable) throw new Error('not a preview')
        return { body: { quoteToken } }
      },
    },
    429: limited,
    500: {
      INTERNAL: async (stage) => {
        const { quoteToken } = await stage.quote(baseToArbitrum(stage), 'near-intents')
        await stage.service.control.fault('near-intents', 'http-500')
        return { body: { quoteToken }, headers: HOLDER }
      },
    },
    502: {
      // A wallet nobody has ever given anything.
      BUILD_FAILED: async (stage) => {
        const request = { ...solToBase(stage), userAddress: 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE' }
        return { body: { quoteToken: (await stage.quote(request, 'relay')).quoteToken } }
      },
    },
    503: { OVERLOADED: noRoomFor.executes },
  },
  submitTransaction: {
    200: { success: async (stage) => ({ body: await signedTransaction(stage) }) },
    400: {
      INVALID_REQUEST: () => ({ body: { quoteToken: 'any' } }),
      QUOTE_INVALID: () => ({ body: { ...TAMPERED, signedTransaction: 'AAAA' } }),
    },
    401: unauthorized,
    413: tooLarge,
    415: notJson,
    422: {
      ORDER_REJECTED: async (stage) => {
        const body = await signedTransaction(stage)
        await stage.service.control.advance(BLOCKHASH_LIFE_MS)
        return { body }
      },
    },
    429: limited,
    500: {
      // Without its table the store cannot reserve the swap, and nothing is sent.
      INTERNAL: async (stage) => {
        const body = await signedTransaction(stage)
        await stage.breakStore()
        return { body }
      },
    },
    502: {
      BUILD_FAILED: async (stage) => {
        const body = await signedTransaction(stage)
        await stage.service.control.fault('chain:-2', 'http-500')
        return { body }
      },
    },
    503: { OVERLOADED: noRoomFor.executes },
  },
  submitSignature: {
    200: { success: async (stage) => ({ body: await signedSwap(stage) }) },
    400: {
      INVALID_REQUEST: () => ({ body: { quoteToken: 'any', signature: 'not hex' } }),
      QUOTE_INVALID: () => ({ body: { ...TAMPERED, signature: '0x00' } }),
    },
    401: unauthorized,
    410: {
      QUOTE_EXPIRED: async (stage) => {
        // One that is in the book already is taken again, however late.
        const body = await signedSwap(stage, 260_000_000)
        await stage.service.control.advance(ORDER_LIFE_AT_MOST_MS)
        return { body }
      },
    },
    413: tooLarge,
    415: notJson,
    429: limited,
    500: {
      INTERNAL: async (stage) => {
        const body = await signedSwap(stage)
        await stage.service.control.fault('cow', 'http-500')
        return { body }
      },
    },
    503: { OVERLOADED: noRoomFor.executes },
  },
  status: {
    200: { success: async (stage) => ({ query: await deposit(stage) }) },
    400: {
      INVALID_REQUEST: () => ({ query: { quoteToken: 'any' } }),
      QUOTE_INVALID: () => ({ query: { ...TAMPERED, ref: 'any' } }),
    },
    401: unauthorized,
    429: limited,
    500: {
      INTERNAL: async (stage) => {
        const query = await deposit(stage)
        await stage.service.control.fault('near-intents', 'http-500')
        return { query, headers: HOLDER }
      },
    },
    503: { OVERLOADED: noRoomFor.statuses },
  },
  resolveToken: {
    200: { success: asDocumented },
    400: {
      UNSUPPORTED_TOKEN: () => ({ query: { chainId: 1, address: NO_TOKEN } }),
      INVALID_REQUEST: () => ({ query: { chainId: 1 } }),
      UNSUPPORTED_CHAIN: () => ({ query: { chainId: 250, address: NO_TOKEN } }),
    },
    401: unauthorized,
    429: limited,
    500: {
      INTERNAL: async ({ service }) => {
        await service.control.fault('chain:137', 'http-500')
        return { query: { chainId: 137, address: NO_TOKEN } }
      },
    },
  },
  btcCoverage: {
    200: { success: asDocumented },
    400: {
      INVALID_REQUEST: () => ({ query: {} }),
      UNSUPPORTED_CHAIN: () => ({ query: { chainId: 250 } }),
    },
    401: unauthorized,
    429: limited,
    500: untellable,
  },
  chains: { 200: { success: asDocumented }, 401: unauthorized, 429: limited, 500: untellable },
  createKey: {
    201: { success: asDocumented },
    400: { INVALID_REQUEST: () => ({ body: { ...SIGNUP, email: 'nobody' } }) },
    401: unauthorized,
    413: tooLarge,
    415: notJson,
    429: limited,
    500: {
      INTERNAL: async (stage) => {
        await stage.breakStore('api_keys')
        return {}
      },
    },
  },
  updateKey: {
    200: { success: keyed() },
    400: { INVALID_REQUEST: keyed({ body: { payoutAddresses: { thorchain: 'thor1' } } }) },
    401: { UNAUTHORIZED: asDocumented },
    404: { NOT_FOUND: async (stage) => ({ headers: await stage.keyOf('enterprise') }) },
    413: { INVALID_REQUEST: async (stage) => ({ ...(await hugeBody(stage)), headers: await stage.keyOf('selfServe') }) },
    415: {
      INVALID_REQUEST: async (stage) => ({ headers: { ...(await stage.keyOf('selfServe')), 'content-type': 'text/plain' } }),
    },
    429: limited,
    500: { INTERNAL: keyedWithout('payout_addresses') },
  },
  readKey: {
    200: { success: keyed() },
    401: { UNAUTHORIZED: asDocumented },
    429: limited,
    500: { INTERNAL: keyedWithout('payout_addresses') },
  },
  keyEvents: {
    200: { success: keyed() },
    400: { INVALID_REQUEST: keyed({ query: { limit: 201 } }) },
    401: { UNAUTHORIZED: asDocumented },
    429: limited,
    500: { INTERNAL: keyedWithout('partner_events') },
  },
  webhookTest: {
    200: {
      success: async (stage) => {
        const headers = await stage.keyOf('selfServe')
        // Nothing listens at this port.
        await stage.service.call('updateKey', { headers, body: { webhookUrl: 'https://127.0.0.1:9/' } })
        return { headers }
      },
    },
    401: { UNAUTHORIZED: asDocumented },
    404: { NOT_FOUND: keyed() },
    429: limited,
    500: { INTERNAL: keyedWithout('webhooks') },
  },
  health: { 200: { success: asDocumented } },
}

const paying =
  (scenario: Scenario): Scenario =>
  async (stage) => {
    const ask = await scenario(stage)
    return { ...ask, headers: { ...(await stage.payment()), ...ask.headers } }
  }

type Played = { readonly [status: string]: { readonly [code: string]: Scenario } }

/** Without the payment that the document shows. */
const unpaid =
  (scenario: Scenario): Scenario =>
  async (stage) => {
    const ask = await scenario(stage)
    return { ...ask, headers: { ...ask.headers, 'payment-signature': '' } }
  }

/** Refused before anybody looks at a payment, which is why there is none. */
const UNPAID = ['401', '429']

/** As the plain call, with a payment; and what only paid calls answer. */
const paid = <Id extends keyof typeof PAID>(id: Id): Scenarios[Id] => {
  const played: Played = plain[PAID[id]]
  const withPayment = Object.entries(played).map(([status, codes]) => [
    status,
    Object.fromEntries(
      Object.entries(codes).map(([code, scenario]) => [code, UNPAID.includes(status) ? unpaid(scenario) : paying(scenario)]),
    ),
  ])
  const success = played['200']?.['success'] ?? asDocumented
  const own: Played = {
    402: { PAYMENT_REQUIRED: unpaid(asDocumented) },
    503: {
      PAYMENT_PENDING: async (stage) => {
        const ask = await paying(success)(stage)
        await stage.service.control.fault('facilitator', 'http-500')
        return ask
      },
      OVERLOADED: unpaid(played['503']?.['OVERLOADED'] ?? asDocumented),
    },
  }
  return { ...Object.fromEntries(withPayment), ...own } as Scenarios[Id]
}

export const scenarios: Scenarios = {
  ...plain,
  x402Quote: paid('x402Quote'),
  x402Execute: paid('x402Execute'),
  x402SubmitSignature: paid('x402SubmitSignature'),
  x402SubmitTransaction: paid('x402SubmitTransaction'),
  x402Status: paid('x402Status'),
}
