import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { SolanaAccount } from '../../../engine/chains/chains.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { ConfigError } from '../../../engine/config/config.ts'
import type { Address } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue } from '../../support/fakeVenue.ts'
import { startEngine } from '../../support/quoteBench.ts'

const MINT = TOKENS.usdcSolana.address
const ACCOUNT = addressFor('solana', 'fees')

const holding = (mint: Address, { program = TOKEN_PROGRAM, bytes = 165, state = 1, kind = 2 } = {}): SolanaAccount => {
  const data = new Uint8Array(bytes)
  data.set(base58.decode(mint))
  data.set(base58.decode(WALLETS.solana), 32)
  data[108] = state
  if (bytes > 165) data[165] = kind
  return { owner: program, data }
}
const extended = { program: TOKEN_2022_PROGRAM, bytes: 170 }

/** Starts with these venues enabled besides another. Returns the problems that stopped the start, and the engine that started. */
const start = async (solanaAccount: () => Promise<SolanaAccount | null>, venuesEnabled: readonly string[] = ['toy']) => {
  const chains = createFakeChains()
  Object.assign(chains.script, { solanaAccount })
  const venue = createFakeVenue('toy', { profile: { feeAccounts: [{ account: ACCOUNT, mint: MINT }] } })
  const venues = [venue, createFakeVenue('other')]
  const started = await startEngine(venues, { venuesEnabled: [...venuesEnabled, 'other'], chains }).catch((error) => error)
  const reads = chains.calls.map(({ method, query }) => [method, query])
  return { reads, problems: started instanceof ConfigError ? started.problems : [], reported: started.reported }
}

describe('a start with a fee account on Solana [venue-fee-account-missing]', () => {
  const problem = `toy: there is no token account ${ACCOUNT}, which fees in ${MINT} go to: open it, or change the settings of the venue`

  it.each<[string, SolanaAccount | null, isAccepted?: true]>([
    ['a token account', holding(MINT), true],
    ['a token account of Token-2022 with extensions', holding(MINT, extended), true],
    ['missing', null],
    ['an account of another mint', holding(addressFor('solana', 'another mint'))],
    ['frozen', holding(MINT, { state: 2 })],
    ['a mint', holding(MINT, { ...extended, kind: 1 })],
    ['an account of another program', holding(MINT, { program: WALLETS.solana })],
    ['too short', holding(MINT, { bytes: 164 })],
  ])('that is %s: succeeds, or fails and names venue, account and mint', async (_what, account, isAccepted) => {
    const { reads, problems, reported } = await start(async () => account)
    expect([reads, problems]).toEqual([[['solanaAccount', ACCOUNT]], isAccepted ? [] : [problem]])
    if (isAccepted) expect(reported('venue.noticed')).toEqual([])
  })

  it('succeeds with a notice when it cannot be read, and reads none of a disabled venue', async () => {
    const { reported } = await start(chainFails('unreachable', -2))
    expect(reported('venue.noticed')).toMatchObject([{ venue: 'toy', what: expect.stringContaining(ACCOUNT) }])
    expect(await start(async () => null, [])).toMatchObject({ reads: [], problems: [] })
  })
})
