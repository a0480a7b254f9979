/** An answer of the service that is no success, or an error in an answer of GraphQL. */
export class RollcallError extends Error {
  override readonly name = "RollcallError";
  constructor(
    /** For programs, such as "not_found": the codes of /v1, whether /v1 answered or GraphQL. */
    readonly code: string,
    /** For people: what went wrong and what to do. */
    message: string,
    /** Of HTTP. An error of GraphQL may come with 200. */
    readonly status: number,
    /** Names the request in the logs of the service. */
    readonly requestId: string,
    /** Seconds to wait before another try; 0: the service did not say. */
    readonly retryAfter: number,
    /** The argument or parameter that the error is about, where the service names it. */
    readonly field: string = "",
    /** Where in the answer of GraphQL the error occurred. */
    readonly path: readonly (string | number)[] = [],
  ) {
    super(message);
  }
}

/** Whether a status asks for another try. */
export const again = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Retry-After in seconds; 0 without one. */
export function retryAfter(headers: Headers): number {
  const text = headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : 0;
}

/** Reads an answer that is no success. A body that is not the service's, as of a proxy, becomes its status. */
export function errorOf(status: number, headers: Headers, text: string): RollcallError {
  const id = headers.get("X-Request-Id") ?? "";
  const field = headers.get("X-Error-Field") ?? "";
  try {
    const said: unknown = JSON.parse(text);
    if (isObject(said) && typeof said["error"] === "string") {
      return new RollcallError(said["error"], String(said["message"]), status, id, retryAfter(headers), field);
    }
  } catch {
    // not JSON: see below
  }
  return new RollcallError(`http_${status}`, `the answer has status ${status}`, status, id, retryAfter(headers), field);
}

/** Whether a value is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
