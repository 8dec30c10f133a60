import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  parseAbi,
  type TypedDataDefinition,
} from 'viem'
import { broadcast, deploy } from '../../../scripts/client/evm.ts'
import { ACCOUNT } from '../../support/swaps.ts'

/**
 * Creation code of the contract below: solc 0.8.37, optimizer with 200 runs, EVM paris, no metadata.
 *
 * contract OwnedWallet {
 *     address private immutable owner = msg.sender;
 *
 *     function execute(address to, bytes calldata data) external {
 *         require(msg.sender == owner);
 *         (bool done, ) = to.call(data);
 *         require(done);
 *     }
 *
 *     function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
 *         if (signature.length != 66 || signature[0] != 0x01) return 0xffffffff;
 *         bytes32 bound = keccak256(abi.encode(digest, address(this)));
 *         address signer = ecrecover(bound, uint8(signature[65]), bytes32(signature[1:33]), bytes32(signature[33:65]));
 *         return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
 *     }
 * }
 */
const OWNED_WALLET: Hex = `0x${[
  '60a060405233608052348015601357600080fd5b506080516103f0610036600039600081816101a3015261020801526103f06000f3fe60806040',
  '5234801561001057600080fd5b50600436106100365760003560e01c80631626ba7e1461003b5780631cff79cd1461006b575b600080fd5b6100',
  '4e6100493660046102ed565b610080565b6040516001600160e01b0319909116815260200160405180910390f35b61007e610079366004610339',
  '565b6101fd565b005b60006042821415806100bc5750828260008181106100a0576100a0610381565b9050013560f81c60f81b6001600160f81b',
  '031916600160f81b14155b156100d057506001600160e01b03196101f6565b604080516020808201879052308284015282518083038401815260',
  '60909201909252805191012060006001828686604181811061010f5761010f610381565b919091013560f81c905061012760216001898b610397',
  '565b610130916103c1565b61013e604160218a8c610397565b610147916103c1565b6040805160008152602081018083529590955260ff909316',
  '928401929092526060830152608082015260a0016020604051602081039080840390855afa158015610195573d6000803e3d6000fd5b50505060',
  '20604051035190507f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316816001600160a01b',
  '0316146101e8576001600160e01b03196101f1565b630b135d3f60e11b5b925050505b9392505050565b336001600160a01b037f000000000000',
  '0000000000000000000000000000000000000000000000000000161461023257600080fd5b6000836001600160a01b0316838360405161024e92',
  '91906103e0565b6000604051808303816000865af19150503d806000811461028b576040519150601f19603f3d011682016040523d82523d6000',
  '602084013e610290565b606091505b505090508061029e57600080fd5b50505050565b60008083601f8401126102b657600080fd5b50813567ff',
  'ffffffffffffff8111156102ce57600080fd5b6020830191508360208285010111156102e657600080fd5b9250929050565b6000806000604084',
  '8603121561030257600080fd5b83359250602084013567ffffffffffffffff81111561032057600080fd5b61032c868287016102a4565b949790',
  '9650939450505050565b60008060006040848603121561034e57600080fd5b83356001600160a01b038116811461036557600080fd5b92506020',
  '84013567ffffffffffffffff81111561032057600080fd5b634e487b7160e01b600052603260045260246000fd5b600080858511156103a75760',
  '0080fd5b838611156103b457600080fd5b5050820193919092039150565b803560208310156103da57600019602084900360031b1b165b929150',
  '50565b818382376000910190815291905056',
].join('')}`

const EXECUTE = parseAbi(['function execute(address to, bytes data)'])

type Call = { readonly chainId: number; readonly to: string; readonly data: string }

/** A contract wallet (EIP-1271): its signatures have 66 bytes and recover to no account. */
export type ContractWallet = {
  readonly address: Hex
  /** Makes a call from the wallet. */
  execute(call: Call): Promise<Hex>
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>
}

/** Deploys one, owned by the development account. */
export const deployContractWallet = async (rpcUrl: string, chainId: number): Promise<ContractWallet> => {
  const address = await deploy(rpcUrl, chainId, OWNED_WALLET)
  return {
    address,
    execute: ({ to, data }) =>
      broadcast(rpcUrl, {
        chainId,
        to: address,
        data: encodeFunctionData({ abi: EXECUTE, functionName: 'execute', args: [to as Hex, data as Hex] }),
        value: '0',
      }),
    signTypedData: async (typedData) => {
      const bound = encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [hashTypedData(typedData), address])
      const signature = await ACCOUNT.sign({ hash: keccak256(bound) })
      return `0x01${signature.slice(2)}`
    },
  }
}
