import { createRequire } from 'node:module'
import { anvilBinary } from './evm/anvilNode.ts'

/** The offline network is for development: what it alone needs is not there after `npm ci --omit=dev`. */
export class MissingPackagesError extends Error {
  override readonly name = 'MissingPackagesError'
  constructor(missing: readonly string[]) {
    super(
      `The offline network needs packages that are not installed (${missing.join(', ')}). Install them with npm ci --include=dev`,
    )
  }
}

const resolveFrom = createRequire(import.meta.url)

const NEEDED: { readonly [name: string]: () => void } = {
  '@across-protocol/contracts': () => resolveFrom.resolve('@across-protocol/contracts/package.json'),
  '@cowprotocol/contracts': () => resolveFrom.resolve('@cowprotocol/contracts/package.json'),
  '@foundry-rs/anvil': anvilBinary,
  '@solana/errors': () => resolveFrom.resolve('@solana/errors'),
  '@uniswap/uniswapx-sdk': () => resolveFrom.resolve('@uniswap/uniswapx-sdk'),
  litesvm: () => resolveFrom.resolve('litesvm/dist/internal.js'),
  rolldown: () => resolveFrom.resolve('rolldown'),
}

const isMissing = (find: () => void): boolean => {
  try {
    find()
    return false
  } catch {
    return true
  }
}

/** Throws MissingPackagesError where the offline network could only fail later. */
export const requirePackages = (): void => {
  const missing = Object.entries(NEEDED).flatMap(([name, find]) => (isMissing(find) ? [name] : []))
  if (missing.length > 0) throw new MissingPackagesError(missing)
}
