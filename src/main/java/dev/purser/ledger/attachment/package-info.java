/** Attachments: bytes that an answer names by their digest, written in encrypted pieces before the answer. */
@MayUse({"digest", "journal", "problem", "store"})
@NullMarked
package dev.purser.ledger.attachment;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
