/** Recomputes what the service proves: hashes of ledger entries, and signatures of receipts. */
import { exact } from './amounts.js';

/** Browsers offer their cryptography to secure pages alone: over https, or on this machine. */
export const canCompute = globalThis.crypto?.subtle !== undefined;

const encoder = new TextEncoder();

/** Fields as the ledger hashes them: each with its length before it, an absent one as the length ff ff ff ff alone. */
function canonical(fields) {
  const parts = fields.map((field) => {
    const text = field === null || field === undefined ? null : encoder.encode(String(field));
    const bytes = new Uint8Array(4 + (text?.length ?? 0));
    new DataView(bytes.buffer).setUint32(0, text === null ? 0xffffffff : text.length);
    bytes.set(text ?? [], 4);
    return bytes;
  });
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (bytes) => hex(await crypto.subtle.digest('SHA-256', bytes));
const units = (text, digits) => exact(text) / 10n ** BigInt(18 - digits);

/** Nano-epsilon, atto-delta, pico-rho. Where rho is counted, the epsilon and delta of a sum are conversions. */
function amount(stated, isLimit = false) {
  if (stated === null || stated === undefined) {
    return [null, null, null];
  }
  const counted = stated.rho !== undefined && stated.rho !== null && !isLimit;
  return [counted ? 0n : units(stated.epsilon, 9), counted ? 0n : exact(stated.delta), units(stated.rho ?? '0', 12)];
}

/** The hash that an entry of this account has to have after the entry before it. */
export async function entryHash(account, entry) {
  const { blocks, openedBlocks: opened, allotmentAfter: allotment } = entry;
  const divided = Boolean(blocks || opened);
  const fields = [
    entry.previousHash, divided ? 'purser-entry-2' : 'purser-entry-1', account, entry.sequence, Date.parse(entry.at),
    entry.type, entry.analyst, entry.queryId, entry.kind, entry.requestHash, ...amount(entry.charge),
    ...amount(entry.limitAfter, true), ...amount(blocks ? blocks.mostSpentAfter : entry.spentAfter),
    allotment?.analyst, ...amount(allotment?.limit, true), ...amount(allotment?.spent),
  ];
  if (divided) {
    fields.push(
      opened ? `${opened.width} ${opened.first} ${opened.count} ${opened.column}` : null,
      blocks ? blocks.first : -1, blocks ? blocks.last : -1,
      ...amount(blocks ? entry.spentAfter : null), ...amount(blocks?.allottedAfter));
  }
  return sha256(canonical(fields));
}

/**
 * Recomputes a ledger from its first entry on.
 *
 * @param pages of entries, in their order
 * @returns how many entries were right, the hash of the last right entry, and the first wrong entry; null if all are
 *     right
 */
export async function recomputed(account, pages) {
  let [count, head] = [0, '0'.repeat(64)];
  for await (const entries of pages) {
    for (const entry of entries) {
      if (entry.previousHash !== head || await entryHash(account, entry) !== entry.hash) {
        return { count, head, broken: entry };
      }
      count++;
      head = entry.hash;
    }
  }
  return { count, head, broken: null };
}

/**
 * Says what a receipt proves about an answer.
 *
 * @param answer the bytes of the answer
 * @param ownKey the public key in PEM that the user has from elsewhere; empty if there is none
 */
export async function checkedReceipt(receipt, answer, ownKey) {
  if (!canCompute) {
    return { verdict: 'Not checked: this browser computes no signatures on pages that came without encryption.' };
  }
  if (await entryHash(receipt.account, receipt.entry) !== receipt.entry.hash) {
    return { verdict: 'Wrong: the entry of the ledger does not have its hash.' };
  }
  if (receipt.answerDigest !== await sha256(answer)) {
    return { verdict: 'Wrong: the receipt is of another answer.' };
  }
  const keys = ownKey.trim() === '' ? [receipt.publicKey] : pems(ownKey);
  if (!keys.includes(receipt.publicKey)) {
    return { verdict: 'Wrong: the receipt was signed with another key than yours.' };
  }
  if (!await isSigned(receipt)) {
    return { verdict: 'Wrong: the signature does not belong to this receipt.' };
  }
  return {
    verdict: ownKey.trim() === ''
      ? 'Consistent; the issuer is not verified, because no public key was given.'
      : 'Verified: signed with your key, about this answer and this charge.',
  };
}

const pems = (text) => text.split('-----BEGIN PUBLIC KEY-----').slice(text.includes('BEGIN') ? 1 : 0)
  .map((part) => part.split('-----END')[0].replace(/\s/g, ''));

async function isSigned(receipt) {
  const der = Uint8Array.from(atob(receipt.publicKey), (letter) => letter.charCodeAt(0));
  const signature = Uint8Array.from(atob(receipt.signature), (letter) => letter.charCodeAt(0));
  try {
    const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, signedBytes(receipt));
  } catch {
    return false;
  }
}

function signedBytes(receipt) {
  const { entry, request, head } = receipt;
  const texts = (stated) => [stated?.epsilon, stated?.delta, stated?.rho];
  const { blocks, allotmentAfter: allotment } = entry;
  return canonical([
    receipt.format, receipt.queryId, receipt.datasetId, receipt.account, entry.sequence, Date.parse(entry.at),
    entry.type, entry.analyst, entry.queryId, entry.kind, entry.requestHash, ...texts(entry.charge),
    ...texts(entry.limitAfter), ...texts(entry.spentAfter),
    allotment?.analyst, ...texts(allotment?.limit), ...texts(allotment?.spent),
    ...blocks ? [blocks.from, blocks.to, blocks.first, blocks.last, ...texts(blocks.mostSpentAfter),
      ...texts(blocks.allottedAfter)] : [],
    entry.previousHash, entry.hash, request.operation, request.idempotencyKey, request.digest, receipt.answerDigest,
    head.sequence, head.hash, Date.parse(receipt.signedAt), receipt.publicKey,
  ]);
}
