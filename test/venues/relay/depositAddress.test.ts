import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { scriptOfAddress } from '../../../engine/chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../../engine/chains/bitcoin/hash160.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { outcomeWith } from './forging.ts'
import { altered, bitcoinOrder, properAnswers, RECIPIENT_BTC } from './support.ts'

/** Nothing proves that an address in bitcoin is the venue's own for an order; that it is somebody's else can be told. */

const COIN = bitcoinOrder()
const proper = properAnswers(COIN)

describe('a deposit address', () => {
  const pays = async (depositAddress: string) => {
    const answers = await proper
    return outcomeWith({ ...answers, quote: altered(answers.quote, 'steps.0.depositAddress', depositAddress) }, COIN)
  }
  const SCRIPT = scriptOfAddress(WALLETS.bitcoin) as Uint8Array
  const spelled = (version: number, hash: Uint8Array) => createBase58check(sha256).encode(Uint8Array.of(version, ...hash))

  test('of the venue’s own kinds is paid', async () => {
    expect(await pays('bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0')).toBe('signed')
    expect(await pays('3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy')).toBe('signed')
    expect(await pays(RECIPIENT_BTC)).toBe('signed')
  })
  test.each([
    ['that stands for the coin itself, and is nobody’s', 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'],
    ['that is the depository all orders share', 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6'],
    ['that is the depository of today, in its own form', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av'],
    ['that is the depository of today, of a key', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu'],
    ['that is the solver’s', 'bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc'],
  ])('%s is not', async (_name, address) => {
    expect(await pays(address)).toMatch(/^badResponse$|^not proved: unread: an address that is none of this order alone/)
  })
  test('that is the wallet’s in capital letters is not', async () => {
    expect(await pays(WALLETS.bitcoin.toUpperCase())).toContain('not proved: deposit.owner')
  })
  test('of the wallet’s key in another spelling is not', async () => {
    expect(await pays(spelled(0x00, SCRIPT.slice(2)))).toContain('not proved: deposit.owner')
    expect(await pays(spelled(0x05, hash160(SCRIPT)))).toContain('not proved: deposit.owner')
  })
})
