/** What operators see of every request: the log line, and the status in metrics. */
@MayUse({"ledger", "access", "problem"})
@NullMarked
package dev.purser.watch;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
