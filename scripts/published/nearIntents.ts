import { base58 } from '@scure/base'
import { anything, object, record, type Schema, type Static, shape, text } from '../../engine/venues/kit/shapes.ts'
import { CHAIN_CODES } from '../../engine/venues/near-intents/published.ts'
import { quoteDigest, signedWords } from '../../engine/venues/near-intents/quoteSignature.ts'
import { readSettings } from '../../engine/venues/near-intents/settings.ts'
import { RAW_STATUSES } from '../../engine/venues/near-intents/track.ts'
import { nearIntents } from '../../engine/venues/near-intents/venue.ts'
import { type Comparison, differencesOf, loadPackage, readText, versionsOf } from './comparison.ts'

export const NEAR_INTENTS_PACKAGES: readonly string[] = ['@defuse-protocol/one-click-sdk-typescript']

const words = { ...record(text()), minProperties: 1 }

const sdkShape = shape(
  '@defuse-protocol/one-click-sdk-typescript',
  object({
    OpenAPI: object({ BASE: text() }),
    TokenResponse: object({ blockchain: words }),
    GetExecutionStatusResponse: object({ status: words }),
    quoteHash: anything as Schema<(answer: unknown) => unknown>,
  }),
)

type Sdk = Static<typeof sdkShape>

/** A quote in which every word is set that the venue has ever signed, and some that it has not. */
const everyWord = (dry: boolean) => {
  const redirected = { virtualChainRecipient: 'a', virtualChainRefundRecipient: 'b', customRecipientMsg: 'c' }
  return {
    timestamp: '2026-11-20T00:00:01.412Z',
    quoteRequest: {
      dry,
      depositMode: 'SIMPLE',
      swapType: 'EXACT_INPUT',
      slippageTolerance: 100,
      originAsset: '1cs_v1:btc:native:coin',
      depositType: 'ORIGIN_CHAIN',
      destinationAsset: 'nep141:eth.omft.near',
      amount: '1',
      refundTo: 'd',
      refundType: 'ORIGIN_CHAIN',
      recipient: 'e',
      recipientType: 'DESTINATION_CHAIN',
      deadline: '2026-11-20T01:00:00.000Z',
      confidentiality: 'public',
      quoteWaitingTimeMs: 1_000,
      referral: 'f',
      sessionId: 'g',
      appFees: [{ recipient: 'h', fee: 1 }],
      ...redirected,
    },
    quote: {
      amountIn: '1',
      amountInFormatted: '0.1',
      amountInUsd: '1.0',
      minAmountIn: '1',
      amountOut: '2',
      amountOutFormatted: '0.2',
      amountOutUsd: '2.0',
      minAmountOut: '1',
      depositAddress: 'i',
      depositMemo: 'j',
      deadline: '2026-11-23T01:00:00.000Z',
      timeWhenInactive: '2026-11-23T02:00:00.000Z',
      timeEstimate: 3,
      refundFee: '4',
      withdrawFee: '5',
      ...redirected,
    },
  }
}

const hashClaims = ({ quoteHash }: Sdk) =>
  [true, false].map((dry) => {
    const answer = everyWord(dry)
    const theirs = quoteHash(answer)
    return {
      what: `what is signed of a ${dry ? 'dry' : 'real'} quote`,
      ours: quoteDigest(signedWords(answer)),
      theirs: typeof theirs === 'string' ? theirs : null,
    }
  })

/** The host, the key quotes are signed with, the words that are signed, the chains and the statuses. */
export const compareNearIntents = async (packagesDir: string): Promise<Comparison> => {
  const [name = ''] = NEAR_INTENTS_PACKAGES
  const sdk = sdkShape.read({ ...(loadPackage(packagesDir, name) as object) })
  // The key is a constant that is not exported. More than one would be a rotation to look at.
  const source = await readText(packagesDir, `${name}/dist/index.js`)
  const keys = [...new Set(source.match(/ed25519:[1-9A-HJ-NP-Za-km-z]{43,44}(?=["'`])/g))]
  const { publicKey } = readSettings({ baseUrl: '', apiKey: null, settings: {} })
  const theirCodes = Object.values(sdk.TokenResponse.blockchain)
  const theirStatuses = Object.values(sdk.GetExecutionStatusResponse.status)
  const claims = [
    { what: 'host', ours: nearIntents.publicBaseUrl, theirs: sdk.OpenAPI.BASE },
    { what: 'key that signs quotes', ours: `ed25519:${base58.encode(publicKey)}`, theirs: keys.join(', ') },
    ...hashClaims(sdk),
    ...Object.entries(CHAIN_CODES).map(([chainId, code]) => ({
      what: `code of chain ${chainId}`,
      ours: code,
      theirs: theirCodes.find((each) => each === code),
    })),
    ...theirStatuses.map((status) => ({
      what: `status ${status}`,
      ours: RAW_STATUSES.find((known) => known === status),
      theirs: status,
    })),
  ]
  return {
    venue: 'near-intents',
    sources: await versionsOf(packagesDir, NEAR_INTENTS_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
