import { parseSolanaAddress } from '../../../core/address.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { SOLANA } from '../../../core/chain.ts'
import { type FieldProblem, oneOf, queryFields, readFields, type } from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import type { SimHolding } from '../../kit/world.ts'

const U64_MAX = 2n ** 64n - 1n

const key = type('a base58 public key', (value) => (typeof value === 'string' && parseSolanaAddress(value) ? value : undefined))
const lamports = type('a positive integer', (value) =>
  typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value) && BigInt(value) <= U64_MAX ? BigInt(value) : undefined,
)
const whole = (least: number, most: number) =>
  type(`an integer from ${least} to ${most}`, (value) => {
    const isWhole = typeof value === 'string' && /^(0|[1-9][0-9]{0,4})$/.test(value)
    return isWhole && Number(value) >= least && Number(value) <= most ? Number(value) : undefined
  })
const yesOrNo = oneOf('true', 'false')

/** What is documented, and not played offline. */
const UNPLAYED = ['payer', 'mode', 'dexes', 'excludeDexes', 'tipAmount', 'forJitoBundle', 'positiveSlippageBps'] as const
const anyText = type('a text', (value) => (typeof value === 'string' ? value : undefined))

const FIELDS = {
  required: { inputMint: key, outputMint: key, amount: lamports, taker: key },
  optional: {
    slippageBps: whole(0, 10_000),
    platformFeeBps: whole(0, 10_000),
    feeAccount: key,
    destinationTokenAccount: key,
    nativeDestinationAccount: key,
    wrapAndUnwrapSol: yesOrNo,
    maxAccounts: whole(1, 64),
    blockhashSlotsToExpiry: whole(1, 300),
    ...(Object.fromEntries(UNPLAYED.map((name) => [name, anyText])) as {
      readonly [name in (typeof UNPLAYED)[number]]: typeof anyText
    }),
  },
}

const refuse = ({ kind, name, expects }: FieldProblem): Refusal =>
  new Refusal(null, kind === 'unknown' ? `unknown field \`${name}\`` : `Invalid query: ${name} must be ${expects}`)

type Holding = (account: string) => Promise<SimHolding | null>

/** Which of the pair a fee account is of. Throws Refusal for a wallet, and for a third mint. */
const feeOf = async (
  { platformFeeBps: bps = 0, feeAccount, inputMint, outputMint }: ReturnType<typeof readQuery>,
  holding: Holding,
) => {
  refuseIf(bps > 0 && feeAccount === undefined, null, 'feeAccount is required when platformFeeBps is positive')
  if (bps === 0 || feeAccount === undefined) return { bps: 0, of: 'input' as const, account: null }
  const { mint } = found(await holding(feeAccount), null, 'feeAccount is not an initialized token account')
  refuseIf(mint !== inputMint && mint !== outputMint, null, 'feeAccount must be of the input or the output mint')
  return { bps, of: mint === inputMint ? ('input' as const) : ('output' as const), account: feeAccount }
}

const readQuery = (query: URLSearchParams) => readFields(queryFields(query), FIELDS, refuse)

/** Reads a question to /swap/v2/build as strictly as its reference describes it. Throws Refusal. */
export const readBuildQuery = async (query: URLSearchParams, tokens: SimTokens, holding: Holding) => {
  const asked = readQuery(query)
  const { inputMint, outputMint, amount, taker, slippageBps = 50, destinationTokenAccount, nativeDestinationAccount } = asked
  const unplayed = UNPLAYED.find((name) => asked[name] !== undefined)
  refuseIf(
    unplayed !== undefined || asked.wrapAndUnwrapSol === 'false',
    null,
    `${unplayed ?? 'wrapped SOL'} is not played offline`,
  )
  refuseIf(inputMint === outputMint, null, 'inputMint and outputMint must be different')
  refuseIf(
    destinationTokenAccount !== undefined && nativeDestinationAccount !== undefined,
    null,
    'destinationTokenAccount and nativeDestinationAccount are mutually exclusive',
  )
  if (nativeDestinationAccount !== undefined) {
    refuseIf(outputMint !== NATIVE_SOL, null, 'nativeDestinationAccount needs SOL as the output')
    throw new Refusal(null, 'nativeDestinationAccount is not played offline')
  }
  const fee = await feeOf(asked, holding)
  const [input, output] = [inputMint, outputMint].map((mint) => found(tokens.find(SOLANA, mint), null, 'No routes found')) as [
    NonNullable<ReturnType<SimTokens['find']>>,
    NonNullable<ReturnType<SimTokens['find']>>,
  ]
  return { input, output, amount, taker, slippageBps, fee, destination: destinationTokenAccount ?? null }
}

/** A question, checked. */
export type BuildQuery = Awaited<ReturnType<typeof readBuildQuery>>
