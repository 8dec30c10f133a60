import { parseAddress } from '../../core/address.ts'
import { BITCOIN, CHAINS, ecosystemOf, SOLANA } from '../../core/chain.ts'
import { plainUsd } from '../kit/dollars.ts'
import { FAULTS, type FaultParams, isFaultName } from '../kit/faults.ts'
import { integer, text, type } from '../kit/fields.ts'
import { faucetTokens } from '../watch/watch.ts'
import type { Balances, FaucetToken } from '../watch/watched.ts'
import { badField, type Control, type Controls, withFields } from './controls.ts'
import { deposits, faucet, mine, reorg, transactions } from './payments.ts'

const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000
/** A wallet has an address for each kind of chain. */
const ADDRESSES_MAX = 4

const anyText = text(1, 200)
/** In millionths. */
const usdField = type('a decimal text such as "3950.25", more than zero, with at most 6 places', (value) => {
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,6}))?$/.exec(typeof value === 'string' ? value : '') ?? []
  const micros = whole === undefined ? 0n : BigInt(whole + fraction.padEnd(6, '0'))
  return micros > 0n ? micros : undefined
})

/** Advances the time of the venues and the chains, and runs what is due on the way. */
const advanceClock = withFields({ advanceMs: integer(1, TEN_YEARS_MS) }, {}, async ({ clock, schedule }, { advanceMs }) => {
  await schedule.advance(advanceMs)
  return { now: clock.now() }
})

/** Changes the price of a currency, and of every token that follows it. */
const setPrice = withFields({ currency: anyText, usd: usdField }, {}, ({ market }, { currency, usd }) => {
  const currencies = Object.keys(market.prices())
  if (!currencies.includes(currency)) throw badField('currency', `must be one of ${currencies.join(', ')}`)
  market.setPrice(currency, usd)
  return { currency, usd: plainUsd(usd) }
})

const requireTarget = ({ faultTargets }: Controls, venue: string): string => {
  if (!faultTargets.includes(venue)) throw badField('venue', `must be one of ${faultTargets.join(', ')}`)
  return venue
}

const activeFaults = ({ faults }: Controls) => ({ active: faults.list() })

const numberField = type('a number', (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined))
const FAULT_PARAMS = { ms: numberField, bytes: numberField, blocks: numberField, path: anyText, when: anyText }

/** Switches on a fault for the next `count` calls, or until it is cleared; the fault `none` clears those of its venue. */
const setFault = withFields(
  { venue: anyText, fault: anyText },
  { count: integer(1, 1_000_000), ...FAULT_PARAMS },
  (controls, { venue, fault, count = null, ...given }) => {
    const target = requireTarget(controls, venue)
    const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as FaultParams
    if (fault === 'none') controls.faults.clear(target)
    else if (isFaultName(fault)) controls.faults.set(target, fault, params, count)
    else throw badField('fault', `must be none or one of ${FAULTS.join(', ')}`)
    return activeFaults(controls)
  },
)

/** Clears the faults of `?venue=`, or all. */
const clearFaults: Control = (controls, _body, query) => {
  const venue = query.get('venue')
  controls.faults.clear(venue === null ? null : requireTarget(controls, venue))
  return activeFaults(controls)
}

/** Zero on a chain that no call has started. */
const balanceOf = async (controls: Controls, { chainId, address }: FaucetToken, owner: string): Promise<bigint> => {
  const { evm, solana, bitcoin } = controls
  if (chainId === SOLANA) return solana.head().isRunning ? solana.balance(address, owner) : 0n
  if (chainId === BITCOIN) return bitcoin.head() ? bitcoin.balance(owner) : 0n
  return evm.started().includes(chainId) ? evm.balance(chainId, address, owner) : 0n
}

/** The balances of `?address=`, up to four, on every chain where they are valid, or on `?chainId=`. */
const balances: Control = async (controls, _body, query): Promise<Balances> => {
  const addresses = query.getAll('address')
  if (addresses.length === 0 || addresses.length > ADDRESSES_MAX)
    throw badField('address', `must be given once to ${ADDRESSES_MAX} times`)
  const wanted = query.get('chainId')
  const holders = CHAINS.filter(({ chainId }) => wanted === null || String(chainId) === wanted).flatMap(({ chainId }) =>
    addresses.flatMap((address) => {
      const owner = parseAddress(ecosystemOf(chainId), address)
      return owner ? [{ chainId, owner }] : []
    }),
  )
  if (holders.length === 0) throw badField('address', 'must be an address of a chain there is')
  const read = holders.map(async ({ chainId, owner }): Promise<Balances> => {
    try {
      const held = faucetTokens(controls.tokens, chainId).map(async (token) => {
        const amount = await balanceOf(controls, token, owner)
        return { ...token, owner, amount: amount.toString() }
      })
      return { balances: await Promise.all(held), unread: [] }
    } catch (error) {
      return { balances: [], unread: [{ chainId, reason: error instanceof Error ? error.message : String(error) }] }
    }
  })
  const all = await Promise.all(read)
  return { balances: all.flatMap((one) => one.balances), unread: all.flatMap(({ unread }) => unread) }
}

/** Every control call, by method and path. */
export const CALLS: { readonly [route: string]: Control } = {
  'GET /': ({ describe }) => describe(),
  'POST /faucet': faucet,
  'POST /deposits': deposits,
  'POST /transactions': transactions,
  'POST /clock': advanceClock,
  'POST /mine': mine,
  'POST /reorg': reorg,
  'GET /prices': ({ market }) =>
    Object.fromEntries(Object.entries(market.prices()).map(([currency, micros]) => [currency, plainUsd(micros)])),
  'POST /prices': setPrice,
  'GET /faults': (controls) => ({ ...activeFaults(controls), faults: FAULTS, venues: controls.faultTargets }),
  'POST /faults': setFault,
  'DELETE /faults': clearFaults,
  'GET /state': ({ watch }) => watch.state(),
  'GET /balances': balances,
}
