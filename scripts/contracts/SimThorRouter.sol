// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// THORChain's router as far as wallets and vaults know it: it takes deposits to a vault, holds the vault's tokens, pays them
/// out when the vault says so, and tells of all that. https://dev.thorchain.org
contract SimThorRouter {
    event Deposit(address indexed to, address indexed asset, uint256 amount, string memo);
    event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo);

    /// What of the tokens held here is a vault's.
    mapping(address => mapping(address => uint256)) public vaultAllowance;

    function depositWithExpiry(
        address payable vault, address asset, uint256 amount, string memory memo, uint256 expiration
    ) external payable {
        require(block.timestamp < expiration, "THORChain_Router: expired");
        uint256 taken = msg.value;
        if (asset == address(0)) {
            Money.pay(asset, vault, msg.value);
        } else {
            require(msg.value == 0, "TC:unexpected eth");
            taken = Money.pull(asset, amount);
            vaultAllowance[vault][asset] += taken;
        }
        emit Deposit(vault, asset, taken, memo);
    }

    /// Coins that are not taken go back to the vault, and are told of all the same.
    function transferOut(address payable to, address asset, uint256 amount, string memory memo) external payable {
        uint256 sent = amount;
        if (asset == address(0)) {
            sent = msg.value;
            // With no more gas than what comes with coins, as `send` has it.
            (bool isTaken, ) = to.call{value: msg.value, gas: 0}("");
            if (!isTaken) {
                (bool isBack, ) = msg.sender.call{value: msg.value, gas: 0}("");
                require(isBack, "the vault takes no coins");
            }
        } else {
            vaultAllowance[msg.sender][asset] -= amount;
            Money.pay(asset, to, amount);
        }
        emit TransferOut(msg.sender, to, asset, sent, memo);
    }
}
