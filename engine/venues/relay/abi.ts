import { parseAbi } from 'abitype'

/**
 * RelayDepository.sol. Its other `depositErc20`, without an amount, takes all that is allowed, and is refused.
 * Source: packages/ethereum-vm of relayprotocol/relay-depository.
 */
export const DEPOSIT_ERC20 = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)'])
export const DEPOSIT_NATIVE = parseAbi(['function depositNative(address depositor, bytes32 id) payable'])

export const APPROVE = parseAbi(['function approve(address spender, uint256 amount)'])
