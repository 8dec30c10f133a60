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

const start = (solanaAccount: () => Promise<SolanaAccount | null>, venuesEnabled: readonly string[] = ['toy']) => {
  const chains = createFakeChains()
  Object.assign(chains.script, { solanaAccount })
  const venue = createFakeVenue('toy', { profile: { feeAccounts: [{ account: ACCOUNT, mint: MINT }] } })
  return startEngine([venue, createFakeVenue('other')], { venuesEnabled: [...venuesEnabled, 'other'], chains })
}

describe('a start with a fee account on Solana [venue-fee-account-missing]', () => {
  it.each([
    ['a token account', holding(MINT)],
    ['a token account of Token-2022 with extensions', holding(MINT, extended)],
  ])('succeeds when it is %s', async (_what, account) => {
    const { reported, chains } = await start(async () => account)
    expect(reported('venue.noticed')).toEqual([])
    expect(chains.calls.map(({ method, query }) => [method, query])).toEqual([['solanaAccount', ACCOUNT]])
  })

  it.each<[string, SolanaAccount | null]>([
    ['missing', null],
    ['an account of another mint', holding(addressFor('solana', 'another mint'))],
    ['frozen', holding(MINT, { state: 2 })],
    ['a mint', holding(MINT, { ...extended, kind: 1 })],
    ['an account of another program', holding(MINT, { program: WALLETS.solana })],
    ['too short', holding(MINT, { bytes: 164 })],
  ])('fails, and names venue, account and mint, when it is %s', async (_what, account) => {
    const error = await start(async () => account).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as ConfigError).problems).toEqual([
      `toy: there is no token account ${ACCOUNT}, which fees in ${MINT} go to: open it, or change the settings of the venue`,
    ])
  })

  it('succeeds with a notice when it cannot be read', async () => {
    const { reported } = await start(chainFails('unreachable', -2))
    expect(reported('venue.noticed')).toMatchObject([{ venue: 'toy', what: expect.stringContaining(ACCOUNT) }])
  })

  it('reads no account of a venue that is disabled', async () => {
    expect((await start(async () => null, [])).chains.calls).toEqual([])
  })
})
