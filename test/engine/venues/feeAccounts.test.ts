import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { SolanaAccount } from '../../../engine/chains/chains.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { ConfigError } from '../../../engine/config/config.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue } from '../../support/fakeVenue.ts'
import { createTestEngine } from '../../support/testEngine.ts'

/** A venue that pays its fees to token accounts of Solana names them; what is not there stops the start. */

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

const start = async (read: () => Promise<SolanaAccount | null>, enabled: readonly string[] = ['toy']) => {
  const chains = createFakeChains()
  chains.script.solanaAccount = read
  const venue = createFakeVenue('toy', { profile: { feeAccounts: [{ account: ACCOUNT, mint: MINT }] } })
  const bench = await createTestEngine({
    venues: [venue, createFakeVenue('other')],
    venuesEnabled: [...enabled, 'other'],
    chains,
  })
  await bench.close()
  return bench
}

describe('an account that fees are to go to', () => {
  it.each([
    ['a token account', holding(MINT)],
    ['one of the newer program', holding(MINT, { program: TOKEN_2022_PROGRAM })],
    ['one with extensions', holding(MINT, { program: TOKEN_2022_PROGRAM, bytes: 170 })],
  ])('that is there, %s, is nothing to tell', async (_what, account) => {
    const { reported, chains } = await start(async () => account)
    expect(reported('venue.noticed')).toEqual([])
    expect(chains.calls.map(({ method, query }) => [method, query])).toEqual([['solanaAccount', ACCOUNT]])
  })

  it.each<[string, SolanaAccount | null]>([
    ['nothing', null],
    ['a wallet', { owner: addressOf('solana', '11111111111111111111111111111111'), data: new Uint8Array() }],
    ['an account of another mint', holding(addressFor('solana', 'another mint'))],
    ['one that is frozen', holding(MINT, { state: 2 })],
    ['one that was never opened', holding(MINT, { state: 0 })],
    ['a mint', holding(MINT, { program: TOKEN_2022_PROGRAM, bytes: 170, kind: 1 })],
    ['what another program keeps', holding(MINT, { program: WALLETS.solana })],
    ['one cut short', holding(MINT, { bytes: 164 })],
  ])(
    'in whose place is %s stops the start, which names venue, account and mint [venue-fee-account-missing]',
    async (_what, account) => {
      const problem = await start(async () => account).catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(ConfigError)
      expect((problem as ConfigError).problems).toEqual([
        `toy: there is no token account ${ACCOUNT}, which fees in ${MINT} go to: open it, or change the settings of the venue`,
      ])
    },
  )

  it('that cannot be read is told of, and keeps nobody from starting', async () => {
    const { reported } = await start(chainFails('unreachable', -2))
    expect(reported('venue.noticed')).toMatchObject([{ venue: 'toy', what: expect.stringContaining(ACCOUNT) }])
  })

  it('of a venue that is switched off is not looked for', async () => {
    expect((await start(async () => null, [])).chains.calls).toEqual([])
  })
})
