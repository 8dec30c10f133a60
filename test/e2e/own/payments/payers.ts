import { createWalletClient, defineChain, encodeFunctionData, type Hex, http, keccak256, parseEther, toHex, zeroHash } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { gasPaid, receiptOf } from '../../../../scripts/client/evm.ts'
import { fund } from '../../../../scripts/client/swap.ts'
import { NATIVE } from '../../../../scripts/client/tokens.ts'
import type { TestService } from '../../../support/service.ts'
import { BATCH_ABI, ENTRY_POINT, ENTRY_POINT_ABI, SAFE_ABI, SMART_ACCOUNT } from './contracts.ts'

/** A call of a payload. */
export type Call = { readonly to: string; readonly value: string; readonly data: string }

/** `cost`: the gas that the payer itself paid; 0 when another account sends its transaction. */
export type Paid = { readonly ref: Hex; readonly cost: bigint }

/** A wallet that pays a swap. */
export type Payer = {
  readonly address: Hex
  /** Makes the calls in their order; `ref` is the transaction of the last. */
  pay(calls: readonly Call[]): Promise<Paid>
}

export type PayerKind = 'an account of a key' | 'a Safe' | 'an account of ERC-4337' | 'an account of EIP-7702'

/** An operation of a bundle: a batch of calls by one account. */
export type Operation = { readonly sender: Hex; readonly calls: readonly Call[] }

const ENTRY_POINT_ADDRESS: Hex = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const ACCOUNT_CODE_ADDRESS: Hex = '0x7702770277027702770277027702770277027702'
/** More than any wrapping needs: an estimate ignores inner calls that fail. */
const GAS = 10_000_000n

let names = 0
const newKey = (): PrivateKeyAccount => {
  names += 1
  return privateKeyToAccount(keccak256(toHex(`payer ${names}`)))
}

/** An unused address. */
export const newAddress = (): Hex => newKey().address

const chainOf = (chainId: number, url: string) =>
  defineChain({
    ...{ id: chainId, name: `chain ${chainId}`, nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 } },
    rpcUrls: { default: { http: [url] } },
  })

const toArgs = (calls: readonly Call[]) =>
  calls.map(({ to, value, data }) => ({ to: to as Hex, value: BigInt(value), data: data as Hex }))
const batchOf = (calls: readonly Call[]): Hex =>
  encodeFunctionData({ abi: BATCH_ABI, functionName: 'executeBatch', args: [toArgs(calls)] })

/** Wallets of one chain of an offline network. */
export const createPayers = (service: Pick<TestService, 'control'>, chainId: number) => {
  const url = service.control.rpcUrl(chainId)
  const client = (account: PrivateKeyAccount) => createWalletClient({ account, chain: chainOf(chainId, url), transport: http() })

  const rpc = async (method: string, params: readonly unknown[]): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  const placeCode = (address: Hex, code: Hex) => rpc('anvil_setCode', [address, code])

  /** Throws when the whole transaction fails. */
  const landed = async (ref: Hex): Promise<Hex> => {
    if ((await receiptOf(url, ref)).status !== 'success') throw new Error(`transaction ${ref} reverted`)
    return ref
  }
  const send = async (account: PrivateKeyAccount, { to, value, data }: Call): Promise<Hex> =>
    landed(await client(account).sendTransaction({ to: to as Hex, value: BigInt(value), data: data as Hex, gas: GAS }))

  const funded = async (): Promise<PrivateKeyAccount> => {
    const account = newKey()
    await fund(service, chainId, account.address, { [NATIVE]: parseEther('1').toString() })
    return account
  }

  /** One transaction of a bundler with operations of several accounts. */
  const bundle = async (operations: readonly Operation[]): Promise<Hex> => {
    await placeCode(ENTRY_POINT_ADDRESS, ENTRY_POINT)
    const bundler = await funded()
    const ops = operations.map(({ sender, calls }, nonce) => ({
      ...({ sender, nonce: BigInt(nonce), initCode: '0x', callData: batchOf(calls), preVerificationGas: 0n } as const),
      ...({ accountGasLimits: zeroHash, gasFees: zeroHash, paymasterAndData: '0x', signature: '0x' } as const),
    }))
    const data = encodeFunctionData({ abi: ENTRY_POINT_ABI, functionName: 'handleOps', args: [ops, bundler.address] })
    return send(bundler, { to: ENTRY_POINT_ADDRESS, value: '0', data })
  }

  /** A contract wallet without an owner. */
  const newContract = async (): Promise<Hex> => {
    const address = newAddress()
    await placeCode(address, SMART_ACCOUNT)
    return address
  }

  const ofKey = async (): Promise<Payer> => {
    const account = await funded()
    return {
      address: account.address,
      pay: async (calls) => {
        const refs: Hex[] = []
        for (const call of calls) refs.push(await send(account, call))
        return { ref: refs.at(-1) ?? '0x', cost: await gasPaid(url, refs) }
      },
    }
  }

  const ofSafe = async (): Promise<Payer> => {
    const [owner, address] = [await funded(), await newContract()]
    const none = '0x0000000000000000000000000000000000000000'
    const execute = ({ to, value, data }: Call) => {
      const args = [to as Hex, BigInt(value), data as Hex, 0, 100_000n, 0n, 0n, none, none, '0x'] as const
      const exec = encodeFunctionData({ abi: SAFE_ABI, functionName: 'execTransaction', args })
      return send(owner, { to: address, value: '0', data: exec })
    }
    return {
      address,
      pay: async (calls) => {
        let ref: Hex = '0x'
        for (const call of calls) ref = await execute(call)
        return { ref, cost: 0n }
      },
    }
  }

  const ofBundle = async (): Promise<Payer> => {
    const sender = await newContract()
    return { address: sender, pay: async (calls) => ({ ref: await bundle([{ sender, calls }]), cost: 0n }) }
  }

  const ofDelegation = async (): Promise<Payer> => {
    const account = await funded()
    const { address } = account
    await placeCode(ACCOUNT_CODE_ADDRESS, SMART_ACCOUNT)
    return {
      address,
      pay: async (calls) => {
        const wallet = client(account)
        const signed = await wallet.signAuthorization({ contractAddress: ACCOUNT_CODE_ADDRESS, executor: 'self' })
        const whole = { to: address, data: batchOf(calls), authorizationList: [signed], gas: GAS } as const
        const ref = await landed(await wallet.sendTransaction(whole))
        return { ref, cost: await gasPaid(url, [ref]) }
      },
    }
  }

  const create: { readonly [kind in PayerKind]: () => Promise<Payer> } = {
    'an account of a key': ofKey,
    'a Safe': ofSafe,
    'an account of ERC-4337': ofBundle,
    'an account of EIP-7702': ofDelegation,
  }
  return {
    newPayer: (kind: PayerKind): Promise<Payer> => create[kind](),
    bundle,
    /** Makes calls that send coins fail. */
    empty: (address: Hex) => rpc('anvil_setBalance', [address, '0x0']),
  }
}
