import { privateKeyToAccount } from 'viem/accounts'
import { bitcoinPayer } from '../client/bitcoin.ts'
import { bitcoinWallet } from '../client/bitcoinWallet.ts'
import { evmWallet } from '../client/evm.ts'
import { controlNetwork } from '../client/network.ts'
import { connectService } from '../client/service.ts'
import { solanaWallet } from '../client/solana.ts'
import { type Operator, runPartner } from './partner.ts'
import type { Say } from './printer.ts'
import type { Receiver } from './receiver.ts'
import { swap } from './swap.ts'
import { WISHES } from './wishes.ts'

/** Keys that everybody can guess: for the offline network alone. */
const EVM_KEY = `0x${'07'.repeat(32)}` as const

export type DemoOptions = {
  readonly serviceUrl: string
  readonly controlUrl: string
  /** Left out: no partner signs up. */
  readonly partner?: { readonly receiver: Receiver; readonly operator: Operator }
}

/** Makes every swap against a running service. Rejects at the first that does not end as promised. */
export const runDemo = async (at: DemoOptions, say: Say): Promise<void> => {
  const service = connectService(at.serviceUrl)
  const control = controlNetwork(at.controlUrl)
  const chains = await service.call('chains')
  const chainOf = (chainId: number) => {
    const chain = chains.find((candidate) => candidate.chainId === chainId)
    if (!chain) throw new Error(`the service has no chain ${chainId}`)
    return chain
  }
  const wallets = {
    evm: evmWallet(control, privateKeyToAccount(EVM_KEY)),
    solana: solanaWallet(control, 7),
    bitcoin: bitcoinPayer(control, bitcoinWallet('p2wpkh', 'demo')),
  }
  say('Everything below happens on the offline network: simulated venues and prices, no real money.')
  say(`Wallets: EVM ${wallets.evm.address} (viem)`)
  say(`         Solana ${wallets.solana.address} (@solana/web3.js)`)
  say(`         Bitcoin ${wallets.bitcoin.address} (bitcoinjs-lib)`)
  for (const [i, wish] of WISHES.entries()) {
    say()
    say(`${i + 1}. ${wish.title}`)
    await swap(wish, { service, control, chainOf, sender: wallets[wish.from], recipient: wallets[wish.to], say })
  }
  if (at.partner) {
    say()
    say('A partner, by an API key of its own')
    const { serviceUrl, partner } = at
    await runPartner({ ...partner, serviceUrl, control, chainOf, sender: wallets.evm, recipient: wallets.evm }, say)
  }
  say()
  say(`${WISHES.length} of ${WISHES.length} swaps delivered what was promised, or more.`)
}
