// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// THORChain's router as far as wallets and vaults know it: it takes deposits to a vault, holds the vault's tokens, pays them
/// out when the vault says so, and tells of all that. https://dev.thorchain.org
contract SimThorRouter {
    event Deposit(address indexed to, address indexed asset, uint256 amount, string memo);
    event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo);

    /// What of the tokens held here is a vault's.
    mapping(address => mapping(address => uint256)) public vaultAllowance;

    function depositWithExpiry(address payable vault, address asset, uint256 amount, string memory memo, uint256 expiration)
        external
        payable
    {
        require(block.timestamp < expiration, "THORChain_Router: expired");
        uint256 taken = msg.value;
        if (asset == address(0)) {
            (bool done, ) = vault.call{value: msg.value}("");
            require(done, "the vault takes no coins");
        } else {
            require(msg.value == 0, "TC:unexpected eth");
            taken = take(asset, amount);
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
            call(asset, abi.encodeWithSelector(0xa9059cbb, to, amount));
        }
        emit TransferOut(msg.sender, to, asset, sent, memo);
    }

    /// What really came: some tokens keep a part.
    function take(address token, uint256 amount) private returns (uint256) {
        uint256 before = balanceOf(token);
        call(token, abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), amount));
        return balanceOf(token) - before;
    }

    function balanceOf(address token) private view returns (uint256) {
        (bool done, bytes memory answer) = token.staticcall(abi.encodeWithSelector(0x70a08231, address(this)));
        require(done && answer.length == 32, "no balance to read");
        return abi.decode(answer, (uint256));
    }

    /// Some tokens answer nothing.
    function call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "the token refuses");
    }
}
