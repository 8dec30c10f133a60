import { SIMNET_FEE_WALLET_SOLANA } from '../core/networkName.ts'
import { Secret } from '../core/secret.ts'
import { ANSWER_BYTES, type AnswerBytes } from '../net/httpClient.ts'
import { VENUE_DEFINITIONS } from '../venues/registry.ts'
import type { VenueConfig, VenueDefinition } from '../venues/venue.ts'
import type { Reader } from './reader.ts'

export type VenuesConfig = {
  /** All venues: a disabled one still reports its swaps. */
  readonly venues: { readonly [id: string]: VenueConfig }
  /** The venues for quotes and executes. */
  readonly venuesEnabled: readonly string[]
  /** Venues that only lack a required key. */
  readonly venuesWithoutKey: readonly string[]
  /** Warnings at the start, by venue. */
  readonly venueWarnings: readonly { readonly venue: string; readonly what: string }[]
  /** False: no venue is asked for swaps that its payload could not prove. */
  readonly venuesOnTrust: boolean
  /** Agreed limits by venue. Others use the published limit of their venue. */
  readonly venueCallsPerMinute: { readonly [id: string]: number }
  /** Bounds on the answers of every venue. */
  readonly venueAnswerBytes: AnswerBytes
}

/** The variable of one venue's setting. */
export const venueKey = (id: string, setting: string): string => `VENUE_${id.toUpperCase().replaceAll('-', '_')}_${setting}`

/** An address without an owner: fees of the offline network have no value. */
const FEE_RECIPIENT_OFFLINE = '0xfee0000000000000000000000000000000000fee'
const FEE_RECIPIENT_VENUES = 'across bebop cow debridge kyberswap mayan relay uniswapx zerox'

/** Recipients of partners' fees on the offline network, unless the operator sets another, so that every fee is charged. */
const OFFLINE_DEFAULTS: { readonly [key: string]: string } = {
  ...Object.fromEntries(FEE_RECIPIENT_VENUES.split(' ').map((id) => [venueKey(id, 'FEE_RECIPIENT'), FEE_RECIPIENT_OFFLINE])),
  VENUE_CHAINFLIP_BROKER_ACCOUNT: 'cFHsUq1uK5opJudRDd1qkV354mUi9T7FB9SBFv17pVVm2LsU7',
  VENUE_DEBRIDGE_FEE_RECIPIENT_SOLANA: SIMNET_FEE_WALLET_SOLANA,
  VENUE_JUPITER_FEE_MINTS: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  VENUE_JUPITER_FEE_WALLET: SIMNET_FEE_WALLET_SOLANA,
  // The registered wallet of the integrator at the simulator of LI.FI.
  VENUE_LIFI_FEE_RECIPIENT: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  VENUE_LIFI_INTEGRATOR: 'ourswap',
  VENUE_MAYAN_REFERRER: SIMNET_FEE_WALLET_SOLANA,
  VENUE_NEAR_INTENTS_FEE_ACCOUNT: 'swap-service.near',
  VENUE_THORCHAIN_AFFILIATE: 'swap',
}

/** The characters of a header: with any other no call could be sent. */
const KEY_TEXT = /^[!-~]+$/

const readApiKey = (reader: Reader, name: string): string | null => {
  const key = reader.secret(name)
  if (key !== null && !KEY_TEXT.test(key)) reader.problems.push(`${name} must be printable ASCII without spaces`)
  return key
}

const readVenue = (reader: Reader, definition: VenueDefinition): VenueConfig => {
  const { id, publicBaseUrl, publicBaseUrlWithKey = publicBaseUrl, settings } = definition
  const apiKey = readApiKey(reader, venueKey(id, 'API_KEY'))
  const baseUrl = reader.url(venueKey(id, 'BASE_URL'), apiKey === null ? publicBaseUrl : publicBaseUrlWithKey)
  const values: Record<string, string | null> = {}
  const defaults = reader.isOffline() ? OFFLINE_DEFAULTS : {}
  for (const { name, pattern, expects, needsKey = false } of settings) {
    const value = reader.optional(venueKey(id, name))
    if (value !== null && !pattern.test(value)) reader.problems.push(`${venueKey(id, name)} must be ${expects}`)
    if (value !== null && needsKey && apiKey === null)
      reader.problems.push(`${venueKey(id, name)} needs ${venueKey(id, 'API_KEY')}`)
    values[name] = value ?? defaults[venueKey(id, name)] ?? null
  }
  for (const { name, agrees, expects } of settings)
    if (agrees?.(values) === false) reader.problems.push(`${venueKey(id, name)} must be ${expects}`)
  return { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), apiKey: apiKey === null ? null : new Secret(apiKey), settings: values }
}

type Definitions = readonly VenueDefinition[]

const readChosen = (reader: Reader, definitions: Definitions): readonly string[] => {
  const known = definitions.map(({ id }) => id)
  const chosen = reader.list('VENUES_ENABLED')
  if (!chosen.every((id) => known.includes(id))) reader.problems.push(`VENUES_ENABLED may list ${known.join(', ')}`)
  return known.filter((id) => chosen.length === 0 || chosen.includes(id))
}

/** Empty where all advised settings are set. */
const warningOf = ({ id, advised }: VenueDefinition, config: VenueConfig | undefined): VenuesConfig['venueWarnings'] => {
  const { settings = [], consequence = '' } = advised ?? {}
  const isSet = (name: string) => Boolean(name === 'API_KEY' ? config?.apiKey : config?.settings[name])
  const unset = settings.filter((name) => !isSet(name)).map((name) => venueKey(id, name))
  const what = `${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not set: ${consequence}`
  return unset.length > 0 ? [{ venue: id, what }] : []
}

const readCallsPerMinute = (reader: Reader, definitions: Definitions): VenuesConfig['venueCallsPerMinute'] => {
  const limits = definitions.map(({ id }) => {
    const perMinute = reader.integer(venueKey(id, 'REQUESTS_PER_MINUTE'), 0, { min: 1, max: 1_000_000 })
    return [id, perMinute] as const
  })
  return Object.fromEntries(limits.filter(([, perMinute]) => perMinute > 0))
}

/** The default is the minimum: a lower bound would reject today's answers of venues. */
const readBytes = (reader: Reader, name: string, least: number): number =>
  reader.integer(name, least, { min: least, max: 64 * 1024 * 1024 })

export const readVenues = (reader: Reader, definitions: Definitions = VENUE_DEFINITIONS): VenuesConfig => {
  const venues = Object.fromEntries(definitions.map((definition) => [definition.id, readVenue(reader, definition)]))
  const chosen = readChosen(reader, definitions)
  // The offline network issues its own keys.
  const keyless = definitions
    .filter(({ id, needsKey }) => !reader.isOffline() && needsKey && !venues[id]?.apiKey)
    .map(({ id }) => id)
  const venuesEnabled = chosen.filter((id) => !keyless.includes(id))
  const warned = definitions.filter(({ id }) => !reader.isOffline() && venuesEnabled.includes(id))
  return {
    venues,
    venuesEnabled,
    venuesWithoutKey: chosen.filter((id) => keyless.includes(id)),
    venueWarnings: warned.flatMap((definition) => warningOf(definition, venues[definition.id])),
    venuesOnTrust: reader.oneOf('VENUES_ON_TRUST', 'true', ['true', 'false']) === 'true',
    venueCallsPerMinute: readCallsPerMinute(reader, definitions),
    venueAnswerBytes: {
      answerMax: readBytes(reader, 'VENUES_ANSWER_BYTES_MAX', ANSWER_BYTES.answerMax),
      listMax: readBytes(reader, 'VENUES_LIST_BYTES_MAX', ANSWER_BYTES.listMax),
    },
  }
}
