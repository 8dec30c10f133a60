/** A map that forgets its oldest entries, so that a long run cannot fill the memory. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #kept: number
  constructor(kept = 10_000) {
    super()
    this.#kept = kept
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    const oldest = this.size > this.#kept ? this.keys().next() : null
    if (oldest && !oldest.done) this.delete(oldest.value)
    return this
  }
}
