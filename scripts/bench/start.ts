import type { Children } from './children.ts'
import type { Figure } from './figure.ts'
export const measureStart = async (_c: Children): Promise<readonly Figure[]> => []
