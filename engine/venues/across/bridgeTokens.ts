import type { Asset } from '../../core/asset.ts'
import type { ChainId, EvmChainId } from '../../core/chain.ts'

type Addresses = { readonly [chainId in EvmChainId]?: string }

/** Tokens Across carries between chains, lower case. Source: across-protocol/constants, src/tokens.ts. */
const BRIDGED: readonly { readonly decimals: number; readonly addresses: Addresses }[] = [
  {
    decimals: 6, // USDC
    addresses: {
      1: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      10: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
      56: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
      130: '0x078d782b760474a361dda0af3839290b0ef57ad6',
      137: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
      143: '0x754704bc059f8c67012fed69bc8a327a5aafb603',
      480: '0x79a02482a880bce3f13e09da970dc34db4cd24d1',
      999: '0xb88339cb7199b77e23db6e890353e22632ba630f',
      8453: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      42161: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
      59144: '0x176211869ca2b568f2a7d4ee941e073a821ee1ff',
    },
  },
  {
    decimals: 6, // USDT
    addresses: {
      1: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      10: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
      56: '0x55d398326f99059ff775485246999027b3197955',
      130: '0x9151434b16b9763660705744891fa906f660ecc5',
      137: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
      143: '0xe7cd86e13ac4309349f30b3435a9d337750fc82d',
      324: '0x493257fd37edb34451f62edf8d2a0c418852ba4c',
      999: '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb',
      8453: '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2',
      42161: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
      59144: '0xa219439258ca9da29e9cc4ce5596924745e12b93',
    },
  },
  {
    decimals: 18, // WETH
    addresses: {
      1: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      10: '0x4200000000000000000000000000000000000006',
      56: '0x2170ed0880ac9a755fd29b2688956bd959f933f8',
      130: '0x4200000000000000000000000000000000000006',
      137: '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619',
      324: '0x5aea5775959fbc2557cc8789bc1bf90a239d9a91',
      480: '0x4200000000000000000000000000000000000006',
      8453: '0x4200000000000000000000000000000000000006',
      42161: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
      59144: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f',
    },
  },
  {
    decimals: 8, // WBTC
    addresses: {
      1: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
      10: '0x68f180fcce6836688e9084f035309e29bf0a2095',
      137: '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6',
      42161: '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f',
      59144: '0x3aab2285ddcddad8edf438c1bab47e1a9d05a9b4',
    },
  },
  {
    decimals: 18, // DAI
    addresses: {
      1: '0x6b175474e89094c44da98b954eedeac495271d0f',
      10: '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
      137: '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063',
      42161: '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
      8453: '0x50c5725949a6f0c72e6c4a641f24049a917db0cb',
    },
  },
]

/** On BNB Smart Chain the dollar tokens have 18 decimals. */
const decimalsOn = (chainId: ChainId, decimals: number): number => (chainId === 56 && decimals === 6 ? 18 : decimals)

const isAt = (addresses: Addresses, { chainId, address }: Asset): boolean =>
  addresses[chainId as EvmChainId] === address.toLowerCase()

/** Whether Across carries it. */
export const isBridged = (asset: Asset): boolean => BRIDGED.some(({ addresses }) => isAt(addresses, asset))

/**
 * True when both are forms of one bridged token and `deposited` is worth at least `delivered`. False too when that
 * cannot be told: what is compared bounds what an opaque swap before the bridge may lose.
 */
export const covers = (deposited: Asset & { amount: bigint }, delivered: Asset & { amount: bigint }): boolean => {
  const token = BRIDGED.find(({ addresses }) => isAt(addresses, deposited) && isAt(addresses, delivered))
  if (!token) return false
  const depositedUnit = 10n ** BigInt(decimalsOn(deposited.chainId, token.decimals))
  const deliveredUnit = 10n ** BigInt(decimalsOn(delivered.chainId, token.decimals))
  return deposited.amount * deliveredUnit >= delivered.amount * depositedUnit
}
