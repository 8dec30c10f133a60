// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Stand-in for Across's HubPool on Ethereum: the pools that it sends refunds and roots to, by chain. Each storage slot whose
/// number is a chain's is written with the pool there. HubPool.sol of https://github.com/across-protocol/contracts
contract SimHubPool {
    function crossChainContracts(uint256 chainId) external view returns (address adapter, address spokePool) {
        adapter = address(this);
        assembly {
            spokePool := sload(chainId)
        }
    }
}
