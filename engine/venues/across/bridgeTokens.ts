import type { Asset } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'

type Row = readonly [chainId: ChainId, address: string, decimals?: number]

/** One token in all its forms, which Across counts one for one: `decimals` unless a row says otherwise. */
type BridgedToken = { readonly symbol: string; readonly decimals: number; readonly rows: readonly Row[] }

/**
 * Tokens Across carries between the chains we serve, EVM addresses in lower case. Source: across-protocol/constants 3.1.127,
 * `TOKEN_SYMBOLS_MAP` with forms joined by `TOKEN_EQUIVALENCE_REMAPPING`, of the symbols in Across's list of routes.
 */
export const BRIDGED: readonly BridgedToken[] = [
  {
    symbol: 'ACX',
    decimals: 18,
    rows: [
      [1, '0x44108f0223a3c3028f5fe7aec7f9bb2e66bef82f'],
      [10, '0xff733b2a3557a7ed6697007ab5d11b79fdd1b76b'],
      [137, '0xf328b73b6c685831f238c30a23fc19140cb4d8fc'],
      [42161, '0x53691596d1bce8cea565b84d4915e69e03d9c99d'],
    ],
  },
  {
    symbol: 'BAL',
    decimals: 18,
    rows: [
      [1, '0xba100000625a3754423978a60c9317c58a424e3d'],
      [10, '0xfe8b128ba8c78aabc59d4c64cee7ff28e9379921'],
      [137, '0x9a71012b13ca4d3d0cdc72a177df3ef03b0e76a3'],
      [8453, '0x4158734d47fc9692176b5085e0f52ee0da5d47f1'],
      [42161, '0x040d1edc9569d4bab2d15287dc5a4f10f56a56b8'],
      [59144, '0x660edb0a46c3f69be9eff5446318593b9469f9e2'],
    ],
  },
  {
    symbol: 'CAKE',
    decimals: 18,
    rows: [
      [1, '0x152649ea73beab28c5b49b26eb48f7ead6d4c898'],
      [56, '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82'],
    ],
  },
  {
    symbol: 'DAI',
    decimals: 18,
    rows: [
      [1, '0x6b175474e89094c44da98b954eedeac495271d0f'],
      [10, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      [137, '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063'],
      [324, '0x4b9eb6c0b6ea15176bbf62841c6b2a8a398cb656'],
      [8453, '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
      [42161, '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      [59144, '0x4af15ec2a0bd43db75dd04e62faa3b8ef36b00d5'],
    ],
  },
  {
    symbol: 'WETH',
    decimals: 18,
    rows: [
      [1, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
      [10, '0x4200000000000000000000000000000000000006'],
      [56, '0x2170ed0880ac9a755fd29b2688956bd959f933f8'],
      [130, '0x4200000000000000000000000000000000000006'],
      [137, '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619'],
      [143, '0xee8c0e9f1bffb4eb878d8f15f368a02a35481242'],
      [324, '0x5aea5775959fbc2557cc8789bc1bf90a239d9a91'],
      [480, '0x4200000000000000000000000000000000000006'],
      [4663, '0x0bd7d308f8e1639fab988df18a8011f41eacad73'],
      [8453, '0x4200000000000000000000000000000000000006'],
      [42161, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'],
      [59144, '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f'],
    ],
  },
  {
    symbol: 'ezETH',
    decimals: 18,
    rows: [
      [1, '0xbf5495efe5db9ce00f80364c8b423567e58d2110'],
      [10, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [56, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [130, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [480, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [8453, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [42161, '0x2416092f143378750bb29b79ed961ab195cceea5'],
      [59144, '0x2416092f143378750bb29b79ed961ab195cceea5'],
    ],
  },
  {
    symbol: 'POOL',
    decimals: 18,
    rows: [
      [1, '0x0cec1a9154ff802e7934fc916ed7ca50bde6844e'],
      [10, '0x395ae52bb17aef68c2888d941736a71dc6d4e125'],
      [137, '0x25788a1a171ec66da6502f9975a15b609ff54cf6'],
      [480, '0x7077c71b4af70737a08287e279b717dcf64fdc57'],
      [8453, '0xd652c5425aea2afd5fb142e120fecf79e18fafc3'],
      [42161, '0xcf934e2402a5e072928a39a956964eb8f2b5b79c'],
    ],
  },
  {
    symbol: 'SNX',
    decimals: 18,
    rows: [
      [1, '0xc011a73ee8576fb46f5e1c5751ca3b9fe0af2a6f'],
      [10, '0x8700daec35af8ff88c16bdf0418774cb3d7599b4'],
    ],
  },
  {
    symbol: 'UMA',
    decimals: 18,
    rows: [
      [1, '0x04fa0d235c4abf4bcf4787af4cf447de572ef828'],
      [10, '0xe7798f023fc62146e8aa1b36da45fb70855a77ea'],
      [137, '0x3066818837c5e6ed6601bd5a91b0762877a6b731'],
      [42161, '0xd693ec944a85eeca4247ec1c3b130dca9b0c3b22'],
    ],
  },
  {
    symbol: 'USDC',
    decimals: 6,
    rows: [
      [1, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
      [10, '0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
      [10, '0x7f5c764cbc14f9669b88837ca1490cca17c31607'],
      [56, '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 18],
      [130, '0x078d782b760474a361dda0af3839290b0ef57ad6'],
      [137, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
      [137, '0x2791bca1f2de4661ed88a30c99a7a9449aa84174'],
      [143, '0x754704bc059f8c67012fed69bc8a327a5aafb603'],
      [324, '0x3355df6d4c9c3035724fd0e3914de96a5a83aaf4'],
      [480, '0x79a02482a880bce3f13e09da970dc34db4cd24d1'],
      [999, '0xb88339cb7199b77e23db6e890353e22632ba630f'],
      [999, '0x111111a1a0667d36bd57c0a9f569b98057111111'],
      [4663, '0x5fc5360d0400a0fd4f2af552add042d716f1d168'],
      [8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
      [8453, '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca'],
      [42161, '0xaf88d065e77c8cc2239327c5edb3a432268e5831'],
      [42161, '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'],
      [43114, '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'],
      [59144, '0x176211869ca2b568f2a7d4ee941e073a821ee1ff'],
      [SOLANA, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ],
  },
  {
    symbol: 'USDT',
    decimals: 6,
    rows: [
      [1, '0xdac17f958d2ee523a2206206994597c13d831ec7'],
      [10, '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'],
      [56, '0x55d398326f99059ff775485246999027b3197955', 18],
      [130, '0x9151434b16b9763660705744891fa906f660ecc5'],
      [137, '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
      [143, '0xe7cd86e13ac4309349f30b3435a9d337750fc82d'],
      [324, '0x493257fd37edb34451f62edf8d2a0c418852ba4c'],
      [999, '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'],
      [8453, '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'],
      [42161, '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'],
      [43114, '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
      [59144, '0xa219439258ca9da29e9cc4ce5596924745e12b93'],
    ],
  },
  {
    symbol: 'VLR',
    decimals: 18,
    rows: [
      [1, '0x4e107a0000db66f0e9fd2039288bf811dd1f9c74'],
      [10, '0x4e107a0000db66f0e9fd2039288bf811dd1f9c74'],
      [8453, '0x4e107a0000db66f0e9fd2039288bf811dd1f9c74'],
    ],
  },
  {
    symbol: 'WBTC',
    decimals: 8,
    rows: [
      [1, '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'],
      [10, '0x68f180fcce6836688e9084f035309e29bf0a2095'],
      [56, '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c', 18],
      [130, '0x0555e30da8f98308edb960aa94c0db47230d2b9c'],
      [137, '0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6'],
      [143, '0x0555e30da8f98308edb960aa94c0db47230d2b9c'],
      [324, '0xbbeb516fb02a01611cbbe0453fe3c580d7281011'],
      [480, '0x03c7054bcb39f7b2e5b2c7acb37583e32d70cfa3'],
      [42161, '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f'],
      [59144, '0x3aab2285ddcddad8edf438c1bab47e1a9d05a9b4'],
    ],
  },
  {
    symbol: 'WLD',
    decimals: 18,
    rows: [
      [1, '0x163f8c2467924be0ae7b5347228cabf260318753'],
      [10, '0xdc6ff44d5d932cbd77b52e5612ba0529dc6226f1'],
      [480, '0x2cfc85d8e48f8eab294be644d9e25c3030863003'],
    ],
  },
]

type Sum = Asset & { readonly amount: bigint }

const decimalsIn = ({ decimals, rows }: BridgedToken, { chainId, address }: Asset): number | null => {
  const spelled = chainId === SOLANA ? address : address.toLowerCase()
  const row = rows.find(([rowChain, rowAddress]) => rowChain === chainId && rowAddress === spelled)
  return row ? (row[2] ?? decimals) : null
}

/** What Across counts it as, such as `USDC` for all forms of it; null when it does not carry it. */
export const bridgedAs = (asset: Asset): string | null =>
  BRIDGED.find((token) => decimalsIn(token, asset) !== null)?.symbol ?? null

/**
 * True when both are forms of one bridged token and `deposited` is worth at least `delivered`. False too when that
 * cannot be told: what is compared bounds what an opaque swap before the bridge may lose.
 */
export const covers = (deposited: Sum, delivered: Sum): boolean =>
  BRIDGED.some((token) => {
    const [from, to] = [decimalsIn(token, deposited), decimalsIn(token, delivered)]
    return from !== null && to !== null && deposited.amount * 10n ** BigInt(to) >= delivered.amount * 10n ** BigInt(from)
  })
