import { callNetwork } from './net.js'

/**
 * Wallets of the browser, which announce themselves by EIP-6963. Chains here have the ids of the public ones: a wallet with the
 * public endpoints would pay or sign there, with real money. So the page first proves that the wallet's chain is this network's,
 * by the hash of its last block. https://eips.ethereum.org/EIPS/eip-6963
 *
 * @typedef {{ request(asked: { method: string, params?: unknown }): Promise<any> }} Provider
 * @typedef {{ readonly uuid: string, readonly name: string, readonly provider: Provider }} Announced
 * @typedef {{ readonly chainId: number, readonly to: string, readonly data: string, readonly value: string }} Transaction
 */

const NAME_MAX = 40
const WALLETS_MAX = 20
const [POLL_MS, POLLS_MAX] = [200, 150]
/** The wallet does not know the chain. https://eips.ethereum.org/EIPS/eip-3326 */
const UNKNOWN_CHAIN = 4902

/** @param {number} chainId */
const rpcUrlOf = (chainId) => `${location.origin}/rpc/${chainId}`
/** @param {number | bigint} number */
const hex = (number) => `0x${number.toString(16)}`

/** Reports the announced wallets, and again after each later one. @param {(wallets: readonly Announced[]) => void} tell */
export const findWallets = (tell) => {
  /** @type {Map<string, Announced>} */
  const known = new Map()
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail ?? {}
    if (typeof info?.uuid !== 'string' || typeof info.name !== 'string' || typeof provider?.request !== 'function') return
    if (known.size >= WALLETS_MAX && !known.has(info.uuid)) return
    known.set(info.uuid, { uuid: info.uuid, name: info.name.slice(0, NAME_MAX), provider })
    tell([...known.values()])
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

/** @param {number} chainId @param {string} method @param {readonly unknown[]} params */
const askNetwork = async (chainId, method, params) => {
  const { result } = await callNetwork('POST', `/rpc/${chainId}`, { jsonrpc: '2.0', id: 1, method, params })
  return result
}

/** @param {Provider} provider @param {number} chainId @param {string} name */
const switchTo = async (provider, chainId, name) => {
  const params = [{ chainId: hex(chainId) }]
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params })
  } catch (error) {
    if (/** @type {{ code?: number }} */ (error).code !== UNKNOWN_CHAIN) throw error
    const nativeCurrency = { name: 'Offline coin', symbol: 'COIN', decimals: 18 }
    const chain = { chainId: hex(chainId), chainName: `${name} (offline)`, nativeCurrency, rpcUrls: [rpcUrlOf(chainId)] }
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] })
    await provider.request({ method: 'wallet_switchEthereumChain', params })
  }
}

/** Throws unless the wallet's chain is this network's own. @param {Provider} provider @param {number} chainId @param {string} name */
const proveChain = async (provider, chainId, name) => {
  await switchTo(provider, chainId, name)
  const own = await askNetwork(chainId, 'eth_getBlockByNumber', ['latest', false])
  const its = await provider.request({ method: 'eth_getBlockByNumber', params: [own?.number, false] })
  const itsId = await provider.request({ method: 'eth_chainId' })
  if (typeof own?.hash === 'string' && own.hash === its?.hash && Number(itsId) === chainId) return
  throw new Error(
    `The page sent nothing to the wallet: its ${name} is not this network’s, and money there is real. Set the wallet’s RPC endpoint of that chain to ${rpcUrlOf(chainId)}.`,
  )
}

/** @param {number} chainId @param {string} hash */
const landed = async (chainId, hash) => {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const receipt = await askNetwork(chainId, 'eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return hash
    if (receipt) throw new Error(`transaction ${hash} reverted`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`transaction ${hash} is not on this network`)
}

/**
 * A wallet of the browser in place of the page's own, on EVM chains; null where its owner shows no account.
 * @param {Announced} announced @param {(chainId: number) => string} nameOf
 */
export const connectWallet = async ({ provider }, nameOf) => {
  const [address] = await provider.request({ method: 'eth_requestAccounts' })
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) return null
  return {
    evm: address,
    /** @param {Transaction} transaction */
    async sendEvm({ chainId, to, data, value }) {
      await proveChain(provider, chainId, nameOf(chainId))
      const asked = { from: address, to, data, value: hex(BigInt(value)), chainId: hex(chainId) }
      return landed(chainId, await provider.request({ method: 'eth_sendTransaction', params: [asked] }))
    },
    /** @param {any} typedData @returns {Promise<string>} */
    async signTyped(typedData) {
      const chainId = Number(typedData.domain.chainId)
      await proveChain(provider, chainId, nameOf(chainId))
      return provider.request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(withDomain(typedData))] })
    },
  }
}

/** A raw call wants the type of the domain too, of the fields that are there. @param {any} typedData */
const withDomain = (typedData) => {
  const TYPES = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' }
  const domain = Object.entries(TYPES).flatMap(([name, type]) => (typedData.domain[name] === undefined ? [] : [{ name, type }]))
  return { ...typedData, types: { EIP712Domain: domain, ...typedData.types } }
}
