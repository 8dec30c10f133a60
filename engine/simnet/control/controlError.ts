/** A control call that cannot be taken; the message names the field and the reason. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: 400 | 404 | 422
  constructor(status: 400 | 404 | 422, message: string) {
    super(message)
    this.status = status
  }
}
