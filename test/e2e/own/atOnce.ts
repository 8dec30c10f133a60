import { createWalletClient, defineChain, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { VenueDefinition } from '../../../engine/venues/venue.ts'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast, gasPaid, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, fund, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** Swaps of a venue that one transaction on Ethereum makes, or does not make. */

/** `settings`: how the operator sets the venue up otherwise than by default. */
export const createSwappers = (venue: string, settings: { readonly [name: string]: string } = {}) => {
  const held: { service: TestService | null } = { service: null }
  beforeAll(async () => {
    held.service = await startService({ ...only(venue), ...settings })
  })
  afterAll(() => held.service?.close())
  afterEach(() => held.service?.control.clearFaults())
  const service = (): TestService => {
    if (held.service === null) throw new Error('no service yet')
    return held.service
  }
  const rpcUrl = () => service().control.rpcUrl(1)

  let wallets = 0
  const newKey = (): PrivateKeyAccount => {
    wallets += 1
    return privateKeyToAccount(keccak256(toHex(`${venue} ${wallets}`)))
  }

  /** A wallet with what it is to sell, and a quote for it. */
  const quoted = async (inputToken: string, inputAmount: string, outputToken: string) => {
    const account = newKey()
    await fund(service(), 1, account.address, { [NATIVE]: parseEther('1').toString(), [inputToken]: inputAmount })
    const recipient = newKey().address
    const body: QuoteRequest = {
      ...{ inputChainId: 1, inputToken, inputAmount, outputChainId: 1, outputToken },
      ...{ userAddress: account.address, destinationAddress: recipient },
    }
    const offer = await service().call('quote', { body })
    const changes = () =>
      watch(service(), {
        paid: { chainId: 1, token: inputToken, owner: account.address },
        coins: { chainId: 1, token: NATIVE, owner: account.address },
        delivered: { chainId: 1, token: outputToken, owner: recipient },
      })
    return { account, recipient, offer, quoteToken: offer.quoteToken, changes }
  }

  /** A wallet that has allowed what a swap takes, and the call that it is to make. */
  const open = async (...wish: Parameters<typeof quoted>) => {
    const swap = await quoted(...wish)
    const { approval, transaction } = await executeAs(service(), 'TRANSACTION', { quoteToken: swap.quoteToken })
    if (approval) await broadcast(rpcUrl(), approval.transaction, swap.account)
    return { ...swap, transaction, changes: await swap.changes() }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const send = ({ transaction, account }: Opened): Promise<Hex> => broadcast(rpcUrl(), transaction, account)

  /** Sends it though it must fail: with gas of its own, so that nobody estimates it before. */
  const sendBlindly = async ({ account, transaction: { to, data, value } }: Opened): Promise<Hex> => {
    const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
    const chain = defineChain({ id: 1, name: 'chain', nativeCurrency, rpcUrls: { default: { http: [rpcUrl()] } } })
    const wallet = createWalletClient({ account, chain, transport: http() })
    return wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value), gas: 2_000_000n })
  }

  /** It reverts with this error, fails for good, and costs its gas alone. */
  const expectReverted = async (swap: Opened, error: RegExp): Promise<void> => {
    await expect(send(swap)).rejects.toThrow(error)
    const ref = await sendBlindly(swap)
    expect((await receiptOf(rpcUrl(), ref)).status).toBe('reverted')
    await service().control.advance(MINUTE_MS)
    expect((await statusOf(service(), { quoteToken: swap.quoteToken, ref })).status).toBe('failed')
    expect(await swap.changes()).toEqual({ paid: 0n, coins: -(await gasPaid(rpcUrl(), [ref])), delivered: 0n })
  }

  return { service, rpcUrl, newKey, quoted, open, expectReverted }
}

type AtOnce = {
  readonly definition: VenueDefinition
  readonly input: readonly [token: string, amount: string]
  readonly tooLittle: RegExp
  readonly tooLate: RegExp
}

/** What the contract holds a swap to, and what is told of it. */
export const describeAtOnce = (
  { service, rpcUrl, open, expectReverted }: ReturnType<typeof createSwappers>,
  { definition, input: [inputToken, inputAmount], tooLittle, tooLate }: AtOnce,
): void => {
  const openFor = (outputToken: string) => open(inputToken, inputAmount, outputToken)

  describe.each([
    ['tokens', WETH_ETHEREUM],
    ['coins', NATIVE],
  ])('a transaction for %s', (_kind, outputToken) => {
    it('for which less would come than the least reverts, and nothing is lost but gas', async () => {
      await service().control.fault(definition.id, 'short-fill')
      await expectReverted(await openFor(outputToken), tooLittle)
    })

    it('that is sent too late reverts, and nothing is lost but gas', async () => {
      const swap = await openFor(outputToken)
      await service().control.advance(6 * MINUTE_MS)
      await expectReverted(swap, tooLate)
    })

    it('that nobody asks about for a week is a success all the same, of a node that has no state of then', async () => {
      const swap = await openFor(outputToken)
      const ref = await broadcast(rpcUrl(), swap.transaction, swap.account)
      await service().control.fault('chain:1', 'prunes-state')
      await service().control.advance(7 * 24 * HOUR_MS)
      expect(await statusOf(service(), { quoteToken: swap.quoteToken, ref })).toMatchObject({
        status: 'success',
        deliveredAmount: swap.offer.output.amount,
        payments: [
          { kind: 'input', amount: inputAmount, txHash: ref },
          { kind: 'output', amount: swap.offer.output.amount, txHash: ref },
        ],
      })
    })
  })
}
