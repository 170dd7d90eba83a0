/** A server to be measured, local or remote. */
export interface TargetServer {
  /** The base URL, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Headers that every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** The server's process, if the bench started it. */
  readonly pid?: number;
  stop(): Promise<void>;
}
