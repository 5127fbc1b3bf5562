import type { ErrorBody, ErrorCode } from '#shared/errors/errors'

const refusal = (message: string): ErrorBody => ({ success: false, message })

export const ERROR_EXAMPLES: Record<ErrorCode, ErrorBody> = {
  invalid_request: {
    success: false,
    message: 'The record at index 3 is not valid: name is required. Nothing was written; `errors` lists every error.',
    errors: [
      { index: 3, field: 'name', code: 'required', msg: 'is required', value: null },
      { index: 7, field: 'otc', code: 'wrong_type', msg: 'must be true or false', value: 'maybe' },
    ],
  },
  unauthorized: refusal('The access token is missing, invalid or expired. Get a new one, and send the request again.'),
  forbidden: refusal('The access token does not have the scope catalog:write, which this call needs.'),
  not_found: refusal('There is no medication with the id "MED-9999".'),
  method_not_allowed: refusal('This path takes only GET, POST.'),
  conflict: {
    success: false,
    message:
      'The reconcile would deactivate 612 of 1000 active records, more than half. Nothing was written; to ' +
      'write it all the same, send confirm_shrink=true.',
    errors: [{ code: 'shrink_guard', active_before: 1000, would_deactivate: 612 }],
  },
  gone: refusal('The file no longer waits: the upload is approved.'),
  payload_too_large: refusal('The body is larger than 10 MB (10485760 bytes).'),
  unprocessable: refusal(
    'The Idempotency-Key names a write that had another body or other parameters. Nothing was written; send ' +
      'another key.',
  ),
  unsupported_media_type: refusal('The Content-Type must be application/json.'),
  rate_limited: refusal('The workspace sends too many requests. Try again later.'),
  internal: refusal(
    'The service has an internal fault. Try again; if it happens again, give the X-Request-Id of this answer ' +
      'to the operator.',
  ),
  unavailable: refusal('The database is not available at the moment; trying again is safe.'),
  deadline_exceeded: refusal('No answer within 29 seconds. Nothing was written.'),
  storage_full: refusal('The database is full; nothing was written.'),
}
