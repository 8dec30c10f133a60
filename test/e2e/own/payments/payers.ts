import { createWalletClient, defineChain, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { gasPaid, receiptOf } from '../../../../scripts/client/evm.ts'
import { fund } from '../../../../scripts/client/swap.ts'
import { NATIVE } from '../../../../scripts/client/tokens.ts'
import type { TestService } from '../../../support/service.ts'
import { callNode } from '../../support.ts'
import { batchOf, type Call, CONTRACT_WALLET } from './contractWallet.ts'

/** A wallet that pays a swap. */
export type Payer = {
  readonly address: Hex
  /** Makes the calls in one transaction. `cost`: the gas that the payer itself paid; 0 when another account sends it. */
  pay(calls: readonly Call[]): Promise<{ readonly ref: Hex; readonly cost: bigint }>
}

export type PayerKind = 'a contract wallet' | 'an operation of a bundle' | 'an account of EIP-7702'

/** An operation of a bundle: a batch of calls by one contract wallet. */
export type Operation = { readonly sender: Hex; readonly calls: readonly Call[] }

const DELEGATE: Hex = '0x7702770277027702770277027702770277027702'
/** More than any wrapping needs: an estimate ignores inner calls that fail. */
const GAS = 10_000_000n

let names = 0
const newKey = (): PrivateKeyAccount => {
  names += 1
  return privateKeyToAccount(keccak256(toHex(`payer ${names}`)))
}

/** An unused address. */
export const newAddress = (): Hex => newKey().address

/** Wallets of one chain of an offline network. */
export const createPayers = (service: Pick<TestService, 'control'>, chainId: number) => {
  const url = service.control.rpcUrl(chainId)
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: chainId, name: 'a chain', nativeCurrency, rpcUrls: { default: { http: [url] } } })
  const client = (account: PrivateKeyAccount) => createWalletClient({ account, chain, transport: http() })

  const landed = async (ref: Hex): Promise<Hex> => {
    if ((await receiptOf(url, ref)).status !== 'success') throw new Error(`transaction ${ref} reverted`)
    return ref
  }
  const newAccount = async (): Promise<PrivateKeyAccount> => {
    const account = newKey()
    await fund(service, chainId, account.address, { [NATIVE]: parseEther('1').toString() })
    return account
  }
  const newContract = async (): Promise<Hex> => {
    const address = newAddress()
    await callNode(url, 'anvil_setCode', address, CONTRACT_WALLET)
    return address
  }
  /** Has a contract wallet make calls, in a transaction of another account. */
  const callBy = async (to: Hex, calls: readonly Call[]): Promise<Hex> =>
    landed(await client(await newAccount()).sendTransaction({ to, data: batchOf(calls), gas: GAS }))

  /** One transaction with operations of several contract wallets. */
  const bundle = async (operations: readonly Operation[]): Promise<Hex> => {
    const calls = operations.map(({ sender, calls }) => ({ to: sender, value: '0', data: batchOf(calls) }))
    return callBy(await newContract(), calls)
  }

  const create: { readonly [kind in PayerKind]: () => Promise<Payer> } = {
    'a contract wallet': async () => {
      const address = await newContract()
      return { address, pay: async (calls) => ({ ref: await callBy(address, calls), cost: 0n }) }
    },
    'an operation of a bundle': async () => {
      const address = await newContract()
      return { address, pay: async (calls) => ({ ref: await bundle([{ sender: address, calls }]), cost: 0n }) }
    },
    'an account of EIP-7702': async () => {
      const account = await newAccount()
      await callNode(url, 'anvil_setCode', DELEGATE, CONTRACT_WALLET)
      return {
        address: account.address,
        pay: async (calls) => {
          const wallet = client(account)
          const authorizationList = [await wallet.signAuthorization({ contractAddress: DELEGATE, executor: 'self' })]
          const sent = { to: account.address, data: batchOf(calls), authorizationList, gas: GAS }
          const ref = await landed(await wallet.sendTransaction(sent))
          return { ref, cost: await gasPaid(url, [ref]) }
        },
      }
    },
  }
  return {
    newPayer: (kind: PayerKind): Promise<Payer> => create[kind](),
    bundle,
    /** Makes calls that send coins fail. */
    empty: (address: Hex) => callNode(url, 'anvil_setBalance', address, '0x0'),
    /** Mines the blocks that a transaction needs to count, within a moment. */
    bury: async () => {
      await callNode(url, 'anvil_mine', '0x4')
      // The service caches reads of a chain for a second.
      await service.control.advance(2_000)
    },
  }
}
