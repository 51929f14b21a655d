/**
 * Runs programs: WebAssembly without imports, counted by instructions. What a run says follows from
 * the module and the rows alone.
 */
package flexdp.wasm;
