/** An operation of the API in a line. */
export interface OperationLine {
  id: string;
  /** Method and path, such as `POST /api/referrer`. */
  call: string;
  summary: string;
  description: string;
}
