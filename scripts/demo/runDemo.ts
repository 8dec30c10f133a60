import { bitcoinWallet } from './bitcoinWallet.ts'
import { connect } from './connect.ts'
import { evmWallet } from './evmWallet.ts'
import type { Say } from './printer.ts'
import { solanaWallet } from './solanaWallet.ts'
import { swap } from './swap.ts'
import { WISHES } from './wishes.ts'

/** Keys that everybody can guess: for the offline network alone. */
const EVM_KEY = `0x${'07'.repeat(32)}` as const
const SOLANA_SEED = new Uint8Array(32).fill(7)
const BITCOIN_KEY = new Uint8Array(32).fill(7)

/** Makes every swap against a running service. Rejects at the first that does not end as promised. */
export const runDemo = async (at: { readonly serviceUrl: string; readonly controlUrl: string }, say: Say): Promise<void> => {
  const client = await connect(at)
  const wallets = {
    evm: evmWallet(client, EVM_KEY),
    solana: solanaWallet(client, SOLANA_SEED),
    bitcoin: bitcoinWallet(client, BITCOIN_KEY),
  }
  say('Everything below happens on the offline network: simulated venues and prices, no real money.')
  say(`Wallets: EVM ${wallets.evm.address} (viem)`)
  say(`         Solana ${wallets.solana.address} (@solana/web3.js)`)
  say(`         Bitcoin ${wallets.bitcoin.address} (bitcoinjs-lib)`)
  for (const [i, wish] of WISHES.entries()) {
    say()
    say(`${i + 1}. ${wish.title}`)
    await swap(wish, { client, sender: wallets[wish.from], recipient: wallets[wish.to], say })
  }
  say()
  say(`${WISHES.length} of ${WISHES.length} swaps delivered what was promised, or more.`)
}
