import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { NetworkControl } from '../../scripts/client/network.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { USDC } from '../../scripts/client/tokens.ts'

export const CALL_PRICE = 1_000n
export const BASE = 8453 as const

export type Receipt = { readonly path: string; readonly transaction: string; readonly payer: string | undefined }

/** A client with a wallet for what calls cost and for nothing else, which asks every call of a swap on its paid path. */
export type PayingClient = Pick<ServiceClient, 'call'> & {
  readonly payer: string
  /** Of every answer that was paid for, in the order they came. */
  readonly receipts: readonly Receipt[]
}

/** A wallet of so much USDC on Base that pays by the official client. */
export const payingClient = async (
  { publicUrl, control }: { readonly publicUrl: string; readonly control: Pick<NetworkControl, 'faucet'> },
  amount: bigint,
): Promise<PayingClient> => {
  const account = privateKeyToAccount(generatePrivateKey())
  await control.faucet({ chainId: BASE, token: USDC.base, address: account.address, amount: amount.toString() })
  const official = wrapFetchWithPayment(fetch, new x402Client().register(`eip155:${BASE}`, new ExactEvmScheme(account)))
  const receipts: Receipt[] = []
  const paying: typeof fetch = async (input, init) => {
    const response = await official(input, init)
    const header = response.headers.get('payment-response')
    if (response.ok && header !== null) {
      const { transaction, payer } = decodePaymentResponseHeader(header)
      receipts.push({ path: new URL(response.url).pathname, transaction, payer })
    }
    return response
  }
  const client = connectService(publicUrl, paying)
  const paidCall = client.call as (id: string, ask: unknown) => Promise<unknown>
  const call = ((id, ask) => paidCall(`x402${id.charAt(0).toUpperCase()}${id.slice(1)}`, ask)) as ServiceClient['call']
  return { call, payer: account.address, receipts }
}
