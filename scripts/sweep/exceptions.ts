import type { Exception } from './baseline.ts'

/** Pairs that were once reached and are refused on purpose. */
export const EXCEPTIONS: readonly Exception[] = []
