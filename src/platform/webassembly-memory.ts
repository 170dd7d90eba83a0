import { messageOf } from '../core/message-of.js';

/** Part of the language's environment that the types of Node 20 lack. */
declare const WebAssembly: { readonly Memory: new (size: { readonly initial: number }) => object };

/**
 * Throws if WebAssembly gets no memory, which Node's HTTP client parses answers in. Node loads the client at the first call
 * to another service or to the admin plane, and without the memory that ends the process.
 */
export function requireWebAssemblyMemory(): void {
  try {
    // Reserves some 10 GB of addresses, like the client. The garbage collector frees them, when others need them too.
    new WebAssembly.Memory({ initial: 1 });
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `too little address space (${reason}): raise the limit (ulimit -v), or set NODE_OPTIONS=--disable-wasm-trap-handler`,
      { cause: error },
    );
  }
}
