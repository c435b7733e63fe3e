/** The log line of every request. */
@MayUse({"ledger", "access", "problem"})
@NullMarked
package dev.purser.watch;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
