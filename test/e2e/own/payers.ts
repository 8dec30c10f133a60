import { createWalletClient, defineChain, encodeFunctionData, type Hex, http, parseAbi, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { gasPaid, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, type Open } from '../../../scripts/client/swap.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import type { TestService } from '../../support/service.ts'
import { newAddress, newKey, quoteFor } from '../journeys/attempt.ts'
import type { Paid, Side } from '../sides.ts'
import { callNode } from '../support.ts'

/**
 * Runtime code of the contract below: solc 0.8.37, optimizer with 200 runs, EVM paris, no metadata. It lets anyone call, as these
 * tests are about how a payment is wrapped. A failed call leaves the transaction successful, as in a Safe or an ERC-4337 bundle.
 *
 * contract ContractWallet {
 *     struct Call { address to; uint256 value; bytes data; }
 *
 *     receive() external payable {}
 *
 *     function execute(Call[] calldata calls) external {
 *         for (uint256 i = 0; i < calls.length; i++) calls[i].to.call{value: calls[i].value}(calls[i].data);
 *     }
 *
 *     function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
 *         if (signature.length != 66 || signature[0] != 0x01) return 0xffffffff;
 *         bytes32 bound = keccak256(abi.encode(digest, address(this)));
 *         address signer = ecrecover(bound, uint8(signature[65]), bytes32(signature[1:33]), bytes32(signature[33:65]));
 *         return signer == 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 ? this.isValidSignature.selector : bytes4(0xffffffff);
 *     }
 * }
 */
const CONTRACT_WALLET: Hex = `0x${[
  '60806040526004361061002d5760003560e01c80631626ba7e146100395780633f707e6b1461007657600080fd5b3661003457005b600080fd5b',
  '34801561004557600080fd5b50610059610054366004610301565b610098565b6040516001600160e01b03199091168152602001604051809103',
  '90f35b34801561008257600080fd5b5061009661009136600461037f565b610201565b005b60006042821415806100d457508282600081811061',
  '00b8576100b86103f6565b9050013560f81c60f81b6001600160f81b031916600160f81b14155b156100e857506001600160e01b03196101fa56',
  '5b604080516020808201879052308284015282518083038401815260609092019092528051910120600060018286866041818110610127576101',
  '276103f6565b919091013560f81c905061013f60216001898b61040c565b61014891610436565b610156604160218a8c61040c565b61015f9161',
  '0436565b6040805160008152602081018083529590955260ff909316928401929092526060830152608082015260a00160206040516020810390',
  '80840390855afa1580156101ad573d6000803e3d6000fd5b5050604051601f19015191505073f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '6001600160a01b038216146101ec576001600160e01b03196101f5565b630b135d3f60e11b5b925050505b9392505050565b60005b8181101561',
  '02fc5782828281811061021e5761021e6103f6565b90506020028101906102309190610455565b61023e906020810190610475565b6001600160',
  'a01b0316838383818110610259576102596103f6565b905060200281019061026b9190610455565b602001358484848181106102815761028161',
  '03f6565b90506020028101906102939190610455565b6102a190604081019061049e565b6040516102af9291906104ec565b6000604051808303',
  '8185875af1925050503d80600081146102ec576040519150601f19603f3d011682016040523d82523d6000602084013e6102f1565b606091505b',
  '505050600101610204565b505050565b60008060006040848603121561031657600080fd5b83359250602084013567ffffffffffffffff811115',
  '61033457600080fd5b8401601f8101861361034557600080fd5b803567ffffffffffffffff81111561035c57600080fd5b866020828401011115',
  '61036e57600080fd5b939660209190910195509293505050565b6000806020838503121561039257600080fd5b823567ffffffffffffffff8111',
  '156103a957600080fd5b8301601f810185136103ba57600080fd5b803567ffffffffffffffff8111156103d157600080fd5b8560208260051b84',
  '010111156103e657600080fd5b6020919091019590945092505050565b634e487b7160e01b600052603260045260246000fd5b60008085851115',
  '61041c57600080fd5b8386111561042957600080fd5b5050820193919092039150565b8035602083101561044f57600019602084900360031b1b',
  '165b92915050565b60008235605e1983360301811261046b57600080fd5b9190910192915050565b60006020828403121561048757600080fd5b',
  '81356001600160a01b03811681146101fa57600080fd5b6000808335601e198436030181126104b557600080fd5b83018035915067ffffffffff',
  'ffffff8211156104d057600080fd5b6020019150368190038213156104e557600080fd5b9250929050565b818382376000910190815291905056',
].join('')}`

/** A call of a payload. */
type Call = { readonly to: string; readonly value: string; readonly data: string }

const ABI = parseAbi(['struct Call { address to; uint256 value; bytes data; }', 'function execute(Call[] calls)'])

/** The data that has a contract wallet make these calls. */
const batchOf = (calls: readonly Call[]): Hex => {
  const args = calls.map(({ to, value, data }) => ({ to: to as Hex, value: BigInt(value), data: data as Hex }))
  return encodeFunctionData({ abi: ABI, functionName: 'execute', args: [args] })
}

/** A wallet with code, which pays a swap. */
type Payer = {
  readonly address: Hex
  /** Makes the calls in one transaction. `cost`: the gas that the payer itself paid; 0 when another account sends it. */
  pay(calls: readonly Call[]): Promise<{ readonly ref: Hex; readonly cost: bigint }>
}

export type PayerKind = 'a contract wallet' | 'an account of EIP-7702'

const DELEGATE: Hex = '0x7702770277027702770277027702770277027702'
/** More than any wrapping needs: an estimate ignores inner calls that fail. */
const GAS = 10_000_000n

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
    const account = privateKeyToAccount(newKey())
    await fund(service, chainId, account.address, { [NATIVE]: parseEther('1').toString() })
    return account
  }
  const newContract = async (): Promise<Hex> => {
    const { address } = privateKeyToAccount(newKey())
    await callNode(url, 'anvil_setCode', address, CONTRACT_WALLET)
    return address
  }
  /** Has a contract wallet make calls, in a transaction of another account. */
  const callBy = async (to: Hex, calls: readonly Call[]): Promise<Hex> =>
    landed(await client(await newAccount()).sendTransaction({ to, data: batchOf(calls), gas: GAS }))

  const create: { readonly [kind in PayerKind]: () => Promise<Payer> } = {
    'a contract wallet': async () => {
      const address = await newContract()
      return { address, pay: async (calls) => ({ ref: await callBy(address, calls), cost: 0n }) }
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
    /** One transaction with the calls of several contract wallets. */
    bundle: async (operations: readonly { readonly sender: Hex; readonly calls: readonly Call[] }[]): Promise<Hex> => {
      const calls = operations.map(({ sender, calls }) => ({ to: sender, value: '0', data: batchOf(calls) }))
      return callBy(await newContract(), calls)
    },
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

/** A swap that a transaction pays. */
export type Route = {
  readonly venue: string
  readonly from: Paid
  readonly to: Side
  /** The time between two status requests. */
  readonly stepMs: number
}

export const isNative = ({ from }: Route): boolean => from.token === NATIVE

type Service = Pick<TestService, 'call' | 'control'>

/** Executes a swap of a funded wallet. `calls`: those of its payload, the payment last. */
export const openSwap = async (service: Service, route: Route, sender: string, recipient = newAddress('evm')) => {
  // Some venues distinguish equal swaps only by their second.
  await service.control.advance(1_000)
  await fund(service, route.from.chainId, sender, { [route.from.token]: route.from.amount })
  const offer = await quoteFor(service, route.venue, route, { userAddress: sender, destinationAddress: recipient })
  const { quoteToken } = offer
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  return { offer, quoteToken, recipient, transaction, calls: [...(approval ? [approval.transaction] : []), transaction] }
}

/** Follows a swap to a success by this payment and a delivery of its own, whose amount it returns. */
export const expectSuccess = async (service: Service, { from, to, stepMs }: Route, swap: Open): Promise<bigint> => {
  const end = lastOf(await follow(service, { quoteToken: swap.quoteToken, ref: swap.ref }, { stepMs }))
  const [input, output, ...more] = end.payments ?? []
  expect([end.status, input, output]).toMatchObject([
    'success',
    { kind: 'input', chainId: from.chainId, txHash: swap.ref },
    { kind: 'output', ...to, txHash: end.txHash },
  ])
  expect(more.filter(({ kind }) => kind !== 'extra')).toEqual([])
  return BigInt(output?.amount ?? -1)
}
