import { SwapError } from '../errors.ts'
import { StoreError } from './storeError.ts'

/** Turns a StoreError into a retryable INTERNAL: repeating the same request is safe. */
export const overStore =
  <Asked extends readonly unknown[], Told>(call: (...asked: Asked) => Promise<Told>): ((...asked: Asked) => Promise<Told>) =>
  async (...asked) => {
    try {
      return await call(...asked)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const text = 'The service cannot reach its own records now. Repeat the same request: that is always safe.'
      throw new SwapError('INTERNAL', text, { details: { retryable: true }, cause: error })
    }
  }
