/** Interactive mechanisms: a charge, secret state, and a sequence of steps, each stored before it is sent. */
@MayUse({"digest", "journal", "ledger", "privacy", "problem", "store"})
@NullMarked
package dev.purser.interactive;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
