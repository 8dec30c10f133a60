type Row = {
  readonly assetId: string
  readonly decimals: number
  readonly blockchain: string
  readonly symbol: string
  readonly price: number
  readonly contractAddress?: string
}

const toRows = (table: string): readonly Row[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([assetId = '', blockchain = '', symbol = '', decimals = '', contractAddress]) => {
      const row = { assetId, decimals: Number(decimals), blockchain, symbol, price: 1 }
      return contractAddress === undefined ? row : { ...row, contractAddress }
    })

/**
 * The whole answer of https://1click.chaindefuser.com/v0/tokens of 2025-05-06T19:41:35Z, as a public repository holds
 * it; prices left out.
 */
export const TOKENS_OF_2025 = toRows(`
nep141:wrap.near near wNEAR 24 wrap.near
nep141:eth.bridge.near near ETH 18 eth.bridge.near
nep141:17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1 near USDC 6 17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1
nep141:usdt.tether-token.near near USDT 6 usdt.tether-token.near
nep141:token.v2.ref-finance.near near REF 18 token.v2.ref-finance.near
nep141:853d955acef822db058eb8505911ed77f175b99e.factory.bridge.near near FRAX 18 853d955acef822db058eb8505911ed77f175b99e.factory.bridge.near
nep141:aaaaaa20d9e0e2461697782ef11675f668207961.factory.bridge.near near AURORA 18 aaaaaa20d9e0e2461697782ef11675f668207961.factory.bridge.near
nep141:2260fac5e5542a773aa44fbcfedf7c193bc2c599.factory.bridge.near near wBTC 8 2260fac5e5542a773aa44fbcfedf7c193bc2c599.factory.bridge.near
nep141:blackdragon.tkn.near near BLACKDRAGON 24 blackdragon.tkn.near
nep141:token.0xshitzu.near near SHITZU 18 token.0xshitzu.near
nep141:purge-558.meme-cooking.near near PURGE 18 purge-558.meme-cooking.near
nep141:token.burrow.near near BRRR 18 token.burrow.near
nep141:abg-966.meme-cooking.near near ABG 18 abg-966.meme-cooking.near
nep141:noear-324.meme-cooking.near near NOEAR 18 noear-324.meme-cooking.near
nep141:mpdao-token.near near mpDAO 6 mpdao-token.near
nep141:zec.omft.near zec ZEC 8
nep141:gnear-229.meme-cooking.near near GNEAR 18 gnear-229.meme-cooking.near
nep141:eth.omft.near eth ETH 18
nep141:eth-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf.omft.near eth cbBTC 8 0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf
nep141:btc.omft.near btc BTC 8
nep141:sol.omft.near sol SOL 9
nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near arb ARB 18 0x912ce59144191c1204e64559fe8253a0e49e6548
nep141:doge.omft.near doge DOGE 8
nep141:xrp.omft.near xrp XRP 6
nep141:token.sweat near SWEAT 18 token.sweat
nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near eth USDC 6 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48
nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near eth USDT 6 0xdac17f958d2ee523a2206206994597c13d831ec7
nep141:eth-0xa35923162c49cf95e6bf26623385eb431ad920d3.omft.near eth TURBO 18 0xa35923162c49cf95e6bf26623385eb431ad920d3
nep141:sol-b9c68f94ec8fd160137af8cdfe5e61cd68e2afba.omft.near sol WIF 6 EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm
nep141:sol-57d087fd8c460f612f8701f5499ad8b2eec5ab68.omft.near sol BOME 6 ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82
nep141:sol-c58e6539c2f2e097c251f8edf11f9c03e581f8d4.omft.near sol TRUMP 6 6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN
nep141:sol-d600e625449a4d9380eaf5e3265e54c90d34e260.omft.near sol MELANIA 6 FUAfBo2jgks6gB4Z4LfZkqSZgzNucisEHqnNebaRxM1P
nep141:eth-0x6b175474e89094c44da98b954eedeac495271d0f.omft.near eth DAI 18 0x6b175474e89094c44da98b954eedeac495271d0f
nep141:gnosis-0x9c58bacc331c9aa871afd802db6379a98e80cedb.omft.near gnosis GNO 18 0x9c58bacc331c9aa871afd802db6379a98e80cedb
nep141:gnosis-0x177127622c4a00f3d409b75571e12cb3c8973d3c.omft.near gnosis COW 18 0x177127622c4a00f3d409b75571e12cb3c8973d3c
nep141:gnosis-0x4d18815d14fe5c3304e87b3fa18318baa5c23820.omft.near gnosis SAFE 18 0x4d18815d14fe5c3304e87b3fa18318baa5c23820
nep141:bera.omft.near bera BERA 18
nep141:bsc.omft.near bsc BNB 18
nep141:pol.omft.near pol POL 18
nep141:base-0x98d0baa52b2d063e780de12f615f963fe8537553.omft.near base KAITO 18 0x98d0baa52b2d063e780de12f615f963fe8537553
nep141:tron.omft.near tron TRX 6
nep141:base.omft.near base ETH 18
nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near base USDC 6 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913
nep141:base-0x532f27101965dd16442e59d40670faf5ebb142e4.omft.near base BRETT 18 0x532f27101965dd16442e59d40670faf5ebb142e4
nep141:arb.omft.near arb ETH 18
nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near arb USDC 6 0xaf88d065e77c8cc2239327c5edb3a432268e5831
nep141:arb-0xfc5a1a6eb076a2c7ad06ed22c90d7e710e35ad0a.omft.near arb GMX 18 0xfc5a1a6eb076a2c7ad06ed22c90d7e710e35ad0a
nep141:eth-0xaaee1a9723aadb7afa2810263653a34ba2c21c7a.omft.near eth MOG 18 0xaaee1a9723aadb7afa2810263653a34ba2c21c7a
nep141:eth-0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9.omft.near eth AAVE 18 0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9
nep141:eth-0x1f9840a85d5af5bf1d1762f925bdaddc4201f984.omft.near eth UNI 18 0x1f9840a85d5af5bf1d1762f925bdaddc4201f984
nep141:eth-0x514910771af9ca656af840dff83e8264ecf986ca.omft.near eth LINK 18 0x514910771af9ca656af840dff83e8264ecf986ca
nep141:eth-0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce.omft.near eth SHIB 18 0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce
nep141:eth-0x6982508145454ce325ddbe47a25d4ec3d2311933.omft.near eth PEPE 18 0x6982508145454ce325ddbe47a25d4ec3d2311933
nep141:aurora near ETH(DEPRECATED) 18 aurora
nep141:nbtc.bridge.near near BTC 8 nbtc.bridge.near
nep141:a35923162c49cf95e6bf26623385eb431ad920d3.factory.bridge.near near TURBO 18 a35923162c49cf95e6bf26623385eb431ad920d3.factory.bridge.near
nep141:arb-0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9.omft.near arb USDT 6 0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9
nep141:eth-0xaaaaaa20d9e0e2461697782ef11675f668207961.omft.near eth AURORA 18 0xaaaaaa20d9e0e2461697782ef11675f668207961
nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near sol USDC 6 EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near sol USDT 6 Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB
nep141:sol-df27d7abcc1c656d4ac3b1399bbfbba1994e6d8c.omft.near sol TURBO 8 2Dyzu65QA9zdX1UeE7Gx71k7fiwyUK6sZdrvJ7auq5wm
nep141:gnosis.omft.near gnosis xDAI 18
nep141:gnosis-0x2a22f9c3b484c3629090feed35f17ff8f88f76f0.omft.near gnosis USDC 6 0x2a22f9c3b484c3629090feed35f17ff8f88f76f0
nep141:gnosis-0x6a023ccd1ff6f2045c3309768ead9e68f978f6e1.omft.near gnosis WETH 18 0x6a023ccd1ff6f2045c3309768ead9e68f978f6e1
nep141:pol-0x3c499c542cef5e3811e1192ce70d8cc03d5c3359.omft.near pol USDC 6 0x3c499c542cef5e3811e1192ce70d8cc03d5c3359
nep141:bsc-0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d.omft.near bsc USDC 18 0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d
nep141:bsc-0x55d398326f99059ff775485246999027b3197955.omft.near bsc USDT 18 0x55d398326f99059ff775485246999027b3197955
nep141:d9c2d319cd7e6177336b0a9c93c21cb48d84fb54.factory.bridge.near near HAPI 18 d9c2d319cd7e6177336b0a9c93c21cb48d84fb54.factory.bridge.near
nep141:eth-0xd9c2d319cd7e6177336b0a9c93c21cb48d84fb54.omft.near eth HAPI 18 0xd9c2d319cd7e6177336b0a9c93c21cb48d84fb54
nep141:base-0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf.omft.near base cbBTC 8 0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf
nep141:tron-d28a265909efecdcee7c5028585214ea0b96f015.omft.near tron USDT 6 TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
nep141:base-0xa5c67d8d37b88c2d88647814da5578128e2c93b2.omft.near base FMS 18 0xa5c67d8d37b88c2d88647814da5578128e2c93b2
`)

/**
 * Rows of the same list in 2026, as public repositories hold them: the HOT bridge, where the venue has moved most chains
 * since; the ids that replace bitcoin's; a Solana token under its whole mint. Not the whole answer: nobody has kept one.
 */
export const TOKENS_OF_2026 = toRows(`
1cs_v1:btc:native:coin btc BTC(OMNI) 8 coin
1cs_v1:sol:spl:A7bdiYdS5GjqGFtxf17ppRHtDKPkkRqbKtR27dxvQXaS sol ZEC 8 A7bdiYdS5GjqGFtxf17ppRHtDKPkkRqbKtR27dxvQXaS
nep245:v2_1.omni.hot.tg:10_11111111111111111111 op ETH 18
nep245:v2_1.omni.hot.tg:10_A2ewyUyDp6qsue1jqZsGypkCxRJ op USDC 6 0x0b2c639c533813f4aa9d7837caf62653d097ff85
nep245:v2_1.omni.hot.tg:10_359RPSJVdTxwTJT9TyGssr2rFoWo op USDT 6 0x94b008aa00579c1307b0ef2c499ad98a8ce58e58
nep245:v2_1.omni.hot.tg:10_vLAiSt9KfUGKpw5cD3vsSyNYBo7 op OP 18 0x4200000000000000000000000000000000000042
nep245:v2_1.omni.hot.tg:137_11111111111111111111 pol POL 18
nep245:v2_1.omni.hot.tg:137_qiStmoQJDQPTebaPjgx5VBxZv6L pol USDC 6 0x3c499c542cef5e3811e1192ce70d8cc03d5c3359
nep245:v2_1.omni.hot.tg:137_3hpYoaLtt8MP1Z2GH1U473DMRKgr pol USDT 6 0xc2132d05d31c914a87c6611c10748aeb04b58e8f
nep245:v2_1.omni.hot.tg:143_11111111111111111111 monad MON 18
nep245:v2_1.omni.hot.tg:143_2dmLwYWkCQKyTjeUPAsGJuiVLbFx monad USDC 6 0x754704bc059f8c67012fed69bc8a327a5aafb603
nep245:v2_1.omni.hot.tg:143_4EJiJxSALvGoTZbnc8K7Ft9533et monad USDT0 6 0xe7cd86e13ac4309349f30b3435a9d337750fc82d
nep245:v2_1.omni.hot.tg:43114_11111111111111111111 avax AVAX 18
nep245:v2_1.omni.hot.tg:43114_3atVJH3r5c4GqiSYmg9fECvjc47o avax USDC 6 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e
nep245:v2_1.omni.hot.tg:43114_372BeH7ENZieCaabwkbWkBiTTgXp avax USDT 6 0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7
nep245:v2_1.omni.hot.tg:56_11111111111111111111 bsc BNB 18
nep245:v2_1.omni.hot.tg:56_2w93GqMcEmQFDru84j3HZZWt557r bsc USDC 18 0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d
nep245:v2_1.omni.hot.tg:56_2CMMyVTGZkeyNZTSvS5sarzfir6g bsc USDT 18 0x55d398326f99059ff775485246999027b3197955
nep245:v2_1.omni.hot.tg:534352_11111111111111111111 scroll ETH 18
nep245:v2_1.omni.hot.tg:1117_ ton TON 9
nep141:eth-0x5afe3855358e112b5647b952709e6165e1c1eeee.omft.near eth SAFE 18 0x5afe3855358e112b5647b952709e6165e1c1eeee
nep141:hood-0x5fc5360d0400a0fd4f2af552add042d716f1d168.omft.near hood USDG 6 0x5fc5360d0400a0fd4f2af552add042d716f1d168
`)
