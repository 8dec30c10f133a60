import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { nativeAsset } from '../../engine/core/asset.ts'
import { BITCOIN } from '../../engine/core/chain.ts'
import { object, shape, text } from '../../engine/venues/kit/shapes.ts'
import { type Ask, toPriceRequest, toQuoteRequest } from '../../engine/venues/relay/map.ts'
import { STAND_INS } from '../../engine/venues/relay/published.ts'
import { RAW_STATUSES } from '../../engine/venues/relay/track.ts'
import { relay } from '../../engine/venues/relay/venue.ts'
import { type Comparison, differencesOf, loadPackage, readText, versionsOf } from './comparison.ts'

/**
 * Relay publishes no package with its depositories, routers or solver: those were read from its repositories. What its
 * client knows is its host, the wallets prices are asked with, and the types of what it asks and is answered.
 */
export const RELAY_PACKAGES: readonly string[] = ['@relayprotocol/relay-sdk']

const sdkShape = shape(
  '@relayprotocol/relay-sdk',
  object({ MAINNET_RELAY_API: text(), evmDeadAddress: text(), solDeadAddress: text(), bitcoinDeadAddress: text() }),
)

/** The types of one path, between that path and the next. */
const pathOf = (types: string, path: string): string => {
  const [, ...rest] = types.split(`\n    "${path}": {`)
  return (rest[0] ?? '').split(/\n {4}"\//)[0] ?? ''
}

/** The fields a path takes at the top of its body. */
const fieldsOf = (types: string, path: string): readonly string[] => {
  const [body = ''] = pathOf(types, path).split('responses:')
  return [...body.matchAll(/^ {24}([A-Za-z]+)\??:/gm)].map(([, name = '']) => name)
}

const statusesOf = (types: string): readonly string[] => {
  const [, union = ''] = /\bstatus\?: ([^;]+);/.exec(pathOf(types, '/intents/status/v3')) ?? []
  return [...union.matchAll(/"([a-z]+)"/g)].map(([, name = '']) => name)
}

/** A question with every field that is ever sent. */
const everything = (): Ask => {
  const bitcoin = addressOf('bitcoin', STAND_INS.bitcoin)
  const evm = addressOf('evm', STAND_INS.evm)
  return {
    order: {
      input: nativeAsset(BITCOIN),
      output: nativeAsset(1),
      inputAmount: toAmount(1n),
      sender: bitcoin,
      recipient: evm,
      refundTo: bitcoin,
      unnamed: [],
      slippageBps: 1,
      feeBps: 1,
      rankingMode: 'best_output',
      sandbox: false,
      excludeVenues: [],
      broadcastViaService: false,
    },
    binding: { recipient: evm, refundTo: bitcoin },
    user: bitcoin,
    slippageBps: 1,
    fee: { bps: 1, recipient: evm },
    referrer: 'x',
  }
}

/** The host, the wallets that stand in, what we ask for, and the statuses we are told. */
export const compareRelay = async (packagesDir: string): Promise<Comparison> => {
  const sdk = sdkShape.read({ ...(loadPackage(packagesDir, '@relayprotocol/relay-sdk') as object) })
  const types = await readText(packagesDir, '@relayprotocol/relay-sdk/_types/src/types/api.d.ts')
  const asked = { '/quote/v2': toQuoteRequest(everything()), '/price': toPriceRequest(everything()) }
  const claims = [
    { what: 'host', ours: relay.publicBaseUrl, theirs: sdk.MAINNET_RELAY_API },
    { what: 'wallet that stands in on EVM chains', ours: STAND_INS.evm, theirs: sdk.evmDeadAddress },
    { what: 'wallet that stands in on Solana', ours: STAND_INS.solana, theirs: sdk.solDeadAddress },
    { what: 'wallet that stands in on Bitcoin', ours: STAND_INS.bitcoin, theirs: sdk.bitcoinDeadAddress },
    ...Object.entries(asked).flatMap(([path, body]) => {
      const known = fieldsOf(types, path)
      return Object.keys(body).map((field) => ({
        what: `field ${field} of ${path}`,
        ours: field,
        theirs: known.find((name) => name === field),
      }))
    }),
    ...statusesOf(types).map((status) => ({
      what: `status ${status}`,
      ours: RAW_STATUSES.find((known) => known === status),
      theirs: status,
    })),
  ]
  return {
    venue: 'relay',
    sources: await versionsOf(packagesDir, RELAY_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
