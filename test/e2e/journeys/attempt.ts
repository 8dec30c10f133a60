import { Keypair } from '@solana/web3.js'
import { type Hex, keccak256, parseEther, toBytes, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { watch } from '../../../scripts/client/balances.ts'
import { bitcoinPayer } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet, type WalletKind } from '../../../scripts/client/bitcoinWallet.ts'
import { evmWallet } from '../../../scripts/client/evm.ts'
import { solanaWallet } from '../../../scripts/client/solana.ts'
import { type CarriedOut, carryOut, fund } from '../../../scripts/client/swap.ts'
import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA } from '../../../scripts/client/tokens.ts'
import type { Wallet } from '../../../scripts/client/wallet.ts'
import type { Execution, Quote, QuoteRequest } from '../../../scripts/client/wire.ts'
import type { TestService } from '../../support/service.ts'
import { allBut } from '../../support/swaps.ts'
import { callNode } from '../support.ts'
import type { Journey, Priced } from './journey.ts'

/** A journey, as far as one attempt is concerned. */
export type Route = Omit<Journey, 'title' | 'payload'>

type Kind = 'evm' | 'solana' | 'bitcoin'
export const kindOf = (chainId: number): Kind => (chainId === BITCOIN ? 'bitcoin' : chainId === SOLANA ? 'solana' : 'evm')
const nativeOf = (chainId: number): string => (chainId === SOLANA ? NATIVE_SOL : NATIVE)

/** The swap pays in the coin that also pays for fees. */
const isNative = ({ from }: Route): boolean => from.token === nativeOf(from.chainId)

/** The coins of a wallet for fees. */
const FEE_MONEY = { evm: parseEther('1'), solana: 1_000_000_000n, bitcoin: 1_000_000n }

let keys = 0
/** An unused private key. */
export const newKey = (): Hex => {
  keys += 1
  return keccak256(toHex(`journey ${keys}`))
}

/** An unused address. */
export const newAddress = (kind: Kind, of: WalletKind = 'p2wpkh'): string => {
  const key = newKey()
  if (kind === 'bitcoin') return bitcoinWallet(of, key).address
  if (kind === 'evm') return privateKeyToAccount(key).address
  return Keypair.fromSeed(toBytes(key)).publicKey.toBase58()
}

/** A new wallet with the input and coins for fees. */
export const newWallet = async (service: TestService, journey: Route): Promise<Wallet> => {
  const { chainId, token, amount } = journey.from
  const kind = kindOf(chainId)
  const key = newKey()
  const create = {
    evm: () => evmWallet(service.control, privateKeyToAccount(key)),
    solana: () => solanaWallet(service.control, toBytes(key)),
    bitcoin: () => bitcoinPayer(service.control, bitcoinWallet(journey.wallet ?? 'p2wpkh', key)),
  }
  const wallet = create[kind]()
  const coins = FEE_MONEY[kind] + (isNative(journey) ? BigInt(amount) : 0n)
  await fund(service, chainId, wallet.address, {
    [nativeOf(chainId)]: coins.toString(),
    ...(isNative(journey) ? {} : { [token]: amount }),
  })
  return wallet
}

/** The changes of all balances that a swap may change. */
export type Changes = {
  readonly paid: bigint
  /** Of coins, when the input is a token. */
  readonly coins: bigint
  readonly refunded: bigint
  readonly delivered: bigint
  /** At the addresses that must not be paid. */
  readonly elsewhere: bigint
}

type Moved = { readonly cost: bigint; readonly taken?: bigint; readonly refunded?: bigint; readonly delivered?: bigint }

/** A swap that is executed and not yet paid. */
export type Attempt = Priced & {
  readonly offer: Quote
  readonly quoteToken: string
  readonly execution: Execution
  readonly sender: string
  readonly recipient: string
  changes(): Promise<Changes>
  /** Signs or sends the execution with a real wallet. */
  pay(): Promise<CarriedOut>
  /** The expected changes. */
  expected(moved: Moved): Changes
}

/** A quote of one venue. */
export const quoteFor = (
  service: Pick<TestService, 'call'>,
  venue: string,
  { from, to, slippageBps }: Pick<Journey, 'from' | 'to' | 'slippageBps'>,
  parties: Pick<QuoteRequest, 'userAddress' | 'destinationAddress' | 'refundAddress'>,
): Promise<Quote> => {
  const input = { inputChainId: from.chainId, inputToken: from.token, inputAmount: from.amount }
  const output = { outputChainId: to.chainId, outputToken: to.token, ...(slippageBps === undefined ? {} : { slippageBps }) }
  return service.call('quote', { body: { ...input, ...output, ...parties, excludeVenues: allBut(venue) } })
}

/** Other addresses that /execute receives, and whether they count. */
export type Late = { readonly recipient?: 'counts' | 'ignored'; readonly refund?: 'counts' | 'ignored' }

export const openAttempt = async (service: TestService, venue: string, journey: Route, late: Late = {}): Promise<Attempt> => {
  const [from, to] = [kindOf(journey.from.chainId), kindOf(journey.to.chainId)]
  const recipients = [newAddress(to, journey.recipientKind), newAddress(to)] as const
  const refunds = [newAddress(from, journey.wallet), newAddress(from)] as const
  const paidOf = ([named, later]: readonly [string, string], call?: 'counts' | 'ignored') =>
    call === 'counts' ? ([later, named] as const) : ([named, later] as const)
  const [recipient, stranger] = paidOf(recipients, late.recipient)
  const [refund, otherRefund] = paidOf(refunds, late.refund)
  // A contract that accepts everything.
  if (journey.isForContract) await callNode(service.control.rpcUrl(journey.to.chainId), 'anvil_setCode', recipient, '0x00')
  const wallet = await newWallet(service, journey)
  const offer = await quoteFor(service, venue, journey, {
    userAddress: wallet.address,
    destinationAddress: recipients[0],
    ...(journey.isRefundedToSender ? {} : { refundAddress: refunds[0] }),
  })
  const { quoteToken } = offer
  const lateAddresses = {
    ...(late.recipient && { destinationAddress: recipients[1] }),
    ...(late.refund && { refundAddress: refunds[1] }),
  }
  const execution = await service.call('execute', { body: { quoteToken, ...lateAddresses } })
  const { chainId, token } = journey.from
  const watched = await watch(service, {
    paid: { chainId, token, owner: wallet.address },
    coins: { chainId, token: nativeOf(chainId), owner: wallet.address },
    refunded: { chainId, token, owner: refund },
    delivered: { ...journey.to, owner: recipient },
    here: { chainId, token, owner: otherRefund },
    there: { ...journey.to, owner: stranger },
  })
  const venueFee = BigInt(offer.venueFee?.native ?? 0)
  // A deposit may be a little less, so that its digits distinguish it.
  const amount = BigInt(execution.executionType === 'DEPOSIT' ? execution.deposit.amount : journey.from.amount)
  return {
    ...{ offer, quoteToken, execution, sender: wallet.address, recipient, amount },
    output: BigInt(offer.output.amount),
    minimum: BigInt(offer.slippage?.guaranteedMin ?? -1),
    changes: async () => {
      const { here, there, coins, ...moved } = await watched()
      return { ...moved, coins: isNative(journey) ? 0n : coins, elsewhere: here + there }
    },
    pay: () => carryOut(execution, offer, { service, wallet }),
    expected: ({ cost: network, taken = amount, refunded = 0n, delivered = 0n }) => {
      // A fee beside the input is paid with the input, or not at all.
      const cost = network + (taken > 0n ? venueFee : 0n)
      const back = journey.isRefundedToSender ? refunded : 0n
      return {
        paid: back - taken - (isNative(journey) ? cost : 0n),
        coins: isNative(journey) ? 0n : -cost,
        refunded: refunded - back,
        delivered,
        elsewhere: 0n,
      }
    },
  }
}
