/** A server that is measured, wherever it runs. */
export interface TargetServer {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** That every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of its process, where it runs on this machine and was started here. */
  readonly pid?: number;
  stop(): Promise<void>;
}
