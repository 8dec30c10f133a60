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
import type { Journey, Priced } from './journey.ts'

type Kind = 'evm' | 'solana' | 'bitcoin'
export const kindOf = (chainId: number): Kind => (chainId === BITCOIN ? 'bitcoin' : chainId === SOLANA ? 'solana' : 'evm')
const nativeOf = (chainId: number): string => (chainId === SOLANA ? NATIVE_SOL : NATIVE)

/** A coin of its chain's own is paid for fees in the same. */
const isNative = ({ from }: Journey): boolean => from.token === nativeOf(from.chainId)

/** What a wallet needs for fees beside what it swaps. */
const FEE_MONEY = { evm: parseEther('1'), solana: 1_000_000_000n, bitcoin: 1_000_000n }

let names = 0
const newName = (): string => {
  names += 1
  return `journey ${names}`
}
const keyOf = (name: string): Hex => keccak256(toHex(name))

/** An address that nobody has used before. */
const newAddress = (kind: Kind, of: WalletKind = 'p2wpkh'): string => {
  const name = newName()
  if (kind === 'bitcoin') return bitcoinWallet(of, name).address
  if (kind === 'evm') return privateKeyToAccount(keyOf(name)).address
  return Keypair.fromSeed(toBytes(keyOf(name))).publicKey.toBase58()
}

/** The addresses of one attempt: those that are to be paid, and those that must not be. */
export type Parties = {
  readonly recipient: string
  readonly otherRecipient: string
  readonly refund: string
  readonly otherRefund: string
}
export const newParties = ({ from, to, wallet, recipientKind }: Journey): Parties => ({
  recipient: newAddress(kindOf(to.chainId), recipientKind),
  otherRecipient: newAddress(kindOf(to.chainId)),
  refund: newAddress(kindOf(from.chainId), wallet),
  otherRefund: newAddress(kindOf(from.chainId)),
})

/** A wallet nobody had before, with what it swaps and money for fees. */
const newWallet = async (service: TestService, journey: Journey): Promise<Wallet> => {
  const { chainId, token, amount } = journey.from
  const kind = kindOf(chainId)
  const name = newName()
  const create = {
    evm: () => evmWallet(service.control, privateKeyToAccount(keyOf(name))),
    solana: () => solanaWallet(service.control, toBytes(keyOf(name))),
    bitcoin: () => bitcoinPayer(service.control, bitcoinWallet(journey.wallet ?? 'p2wpkh', name)),
  }
  const wallet = create[kind]()
  const coins = FEE_MONEY[kind] + (isNative(journey) ? BigInt(amount) : 0n)
  await fund(service, chainId, wallet.address, {
    [nativeOf(chainId)]: coins.toString(),
    ...(isNative(journey) ? {} : { [token]: amount }),
  })
  return wallet
}

const CODES = { takes: '0x00', refuses: '0x60006000fd' } as const

/** Puts a contract there that takes whatever comes, or reverts. */
export const placeContract = async (
  { control }: TestService,
  chainId: number,
  address: string,
  does: keyof typeof CODES,
): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, CODES[does]] })
  await fetch(control.rpcUrl(chainId), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** What a swap may change, by how much it did. */
export type Changes = {
  readonly paid: bigint
  /** Of the chain's own coin, beside a token that is swapped. */
  readonly coins: bigint
  readonly refunded: bigint
  readonly delivered: bigint
  /** At the addresses that were not to be paid. */
  readonly elsewhere: bigint
}

type Moved = { readonly cost: bigint; readonly taken?: bigint; readonly refunded?: bigint; readonly delivered?: bigint }

/** A swap that is quoted and executed, and not yet paid. */
export type Attempt = Priced & {
  readonly offer: Quote
  readonly quoteToken: string
  readonly execution: Execution
  readonly sender: string
  /** Who is to be paid. */
  readonly recipient: string
  changes(): Promise<Changes>
  /** Does what execute answered, by a real wallet. */
  pay(): Promise<CarriedOut>
  /** What is expected to have changed. */
  expected(moved: Moved): Changes
}

/** The journey's wallet asks the venue for a price. */
export const quoteFor = async (
  service: TestService,
  venue: string,
  journey: Journey,
  named: { readonly destinationAddress?: string; readonly refundAddress?: string },
) => {
  const wallet = await newWallet(service, journey)
  const body: QuoteRequest = {
    inputChainId: journey.from.chainId,
    inputToken: journey.from.token,
    inputAmount: journey.from.amount,
    outputChainId: journey.to.chainId,
    outputToken: journey.to.token,
    userAddress: wallet.address,
    excludeVenues: allBut(venue),
    ...(journey.slippageBps === undefined ? {} : { slippageBps: journey.slippageBps }),
    ...named,
  }
  return { wallet, offer: await service.call('quote', { body }) }
}

/** Addresses that are given to execute instead of those of the quote, and whether they count; and how long after the quote. */
export type Late = {
  readonly recipient?: 'counts' | 'ignored'
  readonly refund?: 'counts' | 'ignored'
  readonly afterMs?: number
}

export const openAttempt = async (service: TestService, venue: string, journey: Journey, late: Late = {}): Promise<Attempt> => {
  const parties = newParties(journey)
  if (journey.isForContract) await placeContract(service, journey.to.chainId, parties.recipient, 'takes')
  const { wallet, offer } = await quoteFor(service, venue, journey, {
    destinationAddress: parties.recipient,
    ...(journey.isRefundedToSender ? {} : { refundAddress: parties.refund }),
  })
  const { quoteToken } = offer
  const lateAddresses = {
    ...(late.recipient && { destinationAddress: parties.otherRecipient }),
    ...(late.refund && { refundAddress: parties.otherRefund }),
  }
  if (late.afterMs) await service.control.advance(late.afterMs)
  const execution = await service.call('execute', { body: { quoteToken, ...lateAddresses } })
  const [recipient, stranger] =
    late.recipient === 'counts' ? [parties.otherRecipient, parties.recipient] : [parties.recipient, parties.otherRecipient]
  const [refund, otherRefund] =
    late.refund === 'counts' ? [parties.otherRefund, parties.refund] : [parties.refund, parties.otherRefund]
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
  // A deposit may have to be a little less, to be told from others.
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
      // What the venue takes beside the input goes with it, or not at all.
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
