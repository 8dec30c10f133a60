import { expect, test } from 'vitest'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { mayan } from '../../../engine/venues/mayan/venue.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import { type Telling, toldAs } from '../../support/venueKit/canned.ts'
import { openBench, orders, QUOTE, STRANGER, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const opened = async ({ settings = {}, ...telling }: Telling) => {
  const bench = await open()
  return toldAs(mayan, { chains: bench.chains })(bench, { settings: { ...bench.sim.settings, ...settings }, ...telling })
}

test('quote: rejects a quote by another signer, names the account, and accepts each configured one [venue-mayan]', async () => {
  const quoted = async (QUOTE_SIGNER: string) =>
    (await opened({ settings: { QUOTE_SIGNER } })).venue.quote(orders.usdc(), never())
  const { check, found } = await refusalOf(quoted(STRANGER))
  expect([check, found]).toEqual(['signer', expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)])
  for (const signers of [found, `${STRANGER}, ${found}`]) expect(await quoted(signers ?? '')).toMatchObject({ venue: 'mayan' })
})

test('mayan pins: reports the SDK version that the latest quote requires', async () => {
  const { venue } = await opened({ changes: { [QUOTE]: (body) => altered(body, 'minimumSdkVersion', [16, 0, 0]) } })
  const versions = async () =>
    (await checkPins(venue, never())).flatMap(({ differences }) => differences.filter(({ what }) => what === 'SDK version'))
  expect(await versions()).toEqual([])
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ check: 'sdkVersion', found: '16.0.0' })
  expect(await versions()).toMatchObject([{ published: ['16.0.0'] }])
})

test('mayan profile: a referrer has an account of USDC, USDT and bridged ether on Solana', async () => {
  const { venue } = await opened({ settings: WITH_FEE })
  expect(venue.profile.feeAccounts?.map(({ mint }) => mint.slice(0, 4))).toEqual(['EPjF', 'Es9v', '7vfC'])
})
